# a command without OpenMP runs as it is, and its status passes through
echo 'int main(void) { return 0; }' > plain.c
winnow cc --opari -- gcc plain.c -o plain
./plain
echo "$?"
winnow cc --opari -- gcc -DBAD=1 missing.c -o nothing 2> talk.txt || echo "status $?"
#= stdout
#| 0
#| status 1
