# counting needs clang, and says what counts any program
echo 'int main(void) { return 0; }' > empty.c
winnow cc --count -- gcc empty.c -o empty
