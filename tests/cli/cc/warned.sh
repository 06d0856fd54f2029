# compile errors are the user's own: file, line and status
printf 'int main(void)\n{\n#pragma omp parallel\n\tundefined();\n\treturn nothing;\n}\n' > bad.c
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -fopenmp -c bad.c 2> talk.txt || echo "status $?"
grep -c 'bad.c:5:.*error' talk.txt
#= stdout
#| status 1
#| 1
