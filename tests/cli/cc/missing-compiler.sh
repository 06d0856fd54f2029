# a compiler that does not exist is named
echo 'int main(void) { return 0; }' > plain.c
winnow cc --opari -- no-such-compiler -fopenmp plain.c
#= exit 1
#= stderr
#| winnow cc: no-such-compiler cannot be run: No such file or directory
