# a library that is missing is the reason only where the program could not start
mkdir -p lib
echo 'int f(void) { return 0; }' | gcc -shared -fPIC -x c -o lib/libf.so -
echo 'int f(void); int main(void) { return f(); }' | gcc -x c - -o main -Llib -lf
winnow record ./main 2> talk || echo "$?"
tail -n 1 talk
#= stdout
#| 127
#| winnow record: nothing recorded: a library it needs is not found: libf.so
