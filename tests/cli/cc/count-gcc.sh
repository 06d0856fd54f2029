# counting needs clang, and says what counts any program
echo 'int main(void) { return 0; }' > empty.c
winnow cc --count -- gcc empty.c -o empty
#= exit 2
#= stderr
#| winnow cc: gcc: not clang, which --count needs; 'winnow count' counts what any program executes, as it is
