#: missing-operand
# record without a program is a usage error
winnow record
#= exit 2
#= stderr glob
#| winnow record: missing operand; usage: winnow record *
#: unknown-option
# an unknown option is a usage error
winnow record --blow true
#= exit 2
#= stderr
#| winnow record: unknown option '--blow'; see winnow help record
#: missing-program
# a program that does not exist is a usage error, and leaves no file
winnow record ./nothing || status=$?
ls
exit "$status"
#= exit 2
#= stderr
#| winnow record: ./nothing: no such program
#: missing-on-path
# a program that is not on the PATH is a usage error
winnow record winnow-has-no-such-program
#= exit 2
#= stderr
#| winnow record: winnow-has-no-such-program: no such program
#: missing-interpreter
# a script whose interpreter is missing is a usage error
printf '#!/no/such/interpreter\n' > script
chmod +x script
winnow record ./script
#= exit 2
#= stderr
#| winnow record: ./script: cannot be started: No such file or directory (its interpreter)
#: not-executable
# a file that is not executable is a usage error
echo text > text
winnow record ./text
#= exit 2
#= stderr
#| winnow record: ./text: is not executable
#: program-is-folder
# a folder is no program
mkdir folder
winnow record ./folder
#= exit 2
#= stderr
#| winnow record: ./folder: is a folder
#: program-options
# what follows the program is the program's
winnow record echo --blow -o -- x
#= exit 125
#= stdout
#| --blow -o -- x
#= stderr glob
#| winnow record: nothing recorded: *
#: arguments
# the program gets its own arguments, whatever options of ours stood before them
winnow record -k -o t sh -c 'printf "<%s>" "$#" "$@"; echo' name one 'two words' -o --json 2> /dev/null
winnow record -k --output=t -v -- sh -c 'printf "<%s>" "$#" "$@"; echo' name 2> /dev/null
#= stdout
#| <4><one><two words><-o><--json>
#| <0>
#: library-missing
# a library that is missing is the reason only where the program could not start
mkdir -p lib
echo 'int f(void) { return 0; }' | gcc -shared -fPIC -x c -o lib/libf.so -
echo 'int f(void); int main(void) { return f(); }' | gcc -x c - -o main -Llib -lf
winnow record ./main 2> talk || echo "$?"
tail -n 1 talk
#= stdout
#| 127
#| winnow record: nothing recorded: a library it needs is not found: libf.so
#: library-beside-link
# a library that is found relative to the program is not missing where the program is called by a link
mkdir -p there/bin there/lib
echo 'int f(void) { return 0; }' | gcc -shared -fPIC -x c -o there/lib/libf.so -
echo 'int f(void); int main(void) { return f(); }' | gcc -x c - -o there/bin/main -Lthere/lib -lf -Wl,-rpath,'$ORIGIN/../lib'
ln -s there/bin/main link
winnow record ./link
#= exit 125
#= stderr glob
#| winnow record: nothing recorded: no OpenMP runtime was seen: it links none *
#: script-without-line
# a script without a first line is run by sh
echo 'echo "ran $1"' > script
chmod +x script
winnow record ./script it
#= exit 125
#= stdout
#| ran it
#= stderr glob
#| winnow record: nothing recorded: it is a shell script, *
