# a library that is found relative to the program is not missing where the program is called by a link
mkdir -p there/bin there/lib
echo 'int f(void) { return 0; }' | gcc -shared -fPIC -x c -o there/lib/libf.so -
echo 'int f(void); int main(void) { return f(); }' | gcc -x c - -o there/bin/main -Lthere/lib -lf -Wl,-rpath,'$ORIGIN/../lib'
ln -s there/bin/main link
winnow record ./link
#= stderr glob
#| winnow record: nothing recorded: no OpenMP runtime was seen: it links none *
