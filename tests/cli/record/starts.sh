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

#: no-command
# --no-command leaves the arguments out of the trace, whoever started the program
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record --no-command -o t sh -c './omp --password=geheim; ./omp "
geheim"; :' > /dev/null 2>&1
winnow run --no-command -o r ./omp --password=geheim > out 2>&1
ls t t.* r | wc -l
! grep -a geheim t t.* r out
winnow report --json r | tr -d ' \n' | grep -o '"command":\["omp(argumentsnotrecorded)"\]'
winnow dump r | grep -c ^argv || true
winnow record -o p ./omp --password=geheim > /dev/null 2>&1
grep -a -q geheim p && echo kept
#= stdout
#| 3
#| "command":["omp(argumentsnotrecorded)"]
#| 0
#| kept
#: overwritten-arguments
# the command is that with which the program was started, whatever it does with its arguments
cp "$COMPILED/cli-arguments.c.gcc" arguments
long=$(printf '%020000d' 0)
show() {
	winnow report --json "$1" | tr -d '\n' | grep -o '"command": *\[[^]]*\]' | tr -s ' ' | cut -c 1-120
}
winnow record -o t ./arguments first '' 'a
line' '' 2> /dev/null
show t
winnow record -o t sh -c './arguments second; :' 2> /dev/null
show t
winnow record -o t ./arguments third "$long" 2> /dev/null
winnow dump t | grep '^argv' | cut -c 1-30
winnow dump t | grep '^argv' | tail -c 10
winnow record -o t --source libgomp ./arguments fourth 2> /dev/null
winnow dump t | grep '^argv'
#= stdout
#| "command": [ "./arguments", "first", "", "a\nline", "" ]
#| "command": [ "./arguments", "second" ]
#| argv ./arguments third 0000000
#| 000000…
#| argv ./arguments fourth
#: verbose
# --verbose says the source before the program runs
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -v ./omp 2> talk
grep expected talk
#= stdout
#| sum 55
#| winnow record: ./omp: expected source: libgomp by wrapping
#: overhead
# the line at the end tells what recording cost, of a program that takes a moment
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t sh -c './omp; i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: * 10 grains, libgomp by wrapping, complete; recording took * of the CPU time
#: unreachable
# where a program may have run constructs out of reach, nothing is said of what it did
cat > out-of-reach.c <<'C'
#include <stdlib.h>
int main(void)
{
	unsetenv("WINNOW_OUT");
	unsetenv("WINNOW_BACK");
#pragma omp parallel
	;
	return 0;
}
C
gcc -fopenmp -o out-of-reach out-of-reach.c
winnow record ./out-of-reach
#= exit 125
#= stderr glob
#| winnow record: nothing recorded: it links libgomp, but no process reported an OpenMP construct; *

#: refused
# what cannot be recorded is not run: the status is 2, or 1 where it is winnow's own fault
status() {
	code=0
	winnow "$@" || code=$?
	echo "$code"
}
status record -o no/trace sh -c 'echo ran; exit 5'
status run -o /proc/self/trace sh -c 'echo ran; exit 5'
build=$(dirname "$(command -v winnow)")
mkdir 'a b'
cp "$build/winnow" "$build/libwinnow-record.so" 'a b'
code=0
'a b/winnow' record sh -c 'echo ran; exit 5' || code=$?
echo "$code"
#= stdout
#| 2
#| 2
#| 1
#= stderr glob
#| winnow record: no/trace: cannot be created: No such file or directory; the program is not run; --keep-going runs it unrecorded
#| winnow run: /proc/self/trace: cannot be created: *; the program is not run; --keep-going runs it unrecorded
#| winnow record: /*/a b/libwinnow-record.so: its path has a space or a colon in it; the program is not run; --keep-going runs it unrecorded
#: refused-runtime
# a program with a runtime inside that nothing can record is not run
archive=$(gcc -print-file-name=libgomp.a)
[ -f "$archive" ] || { echo "no libgomp.a"; exit 77; }
gcc -fopenmp -c "$PROGRAMS/omp.c"
gcc -o omp omp.o "$archive" -lpthread -ldl
winnow record ./omp
#= exit 2
#= stderr glob
#| winnow record: ./omp: cannot be recorded: libgomp is linked into the program: *; the program is not run; --keep-going runs it unrecorded
#: status
# where nothing was recorded the status is 125, unless the program has one of its own, or --keep-going asks for its own
cp "$COMPILED/cli-omp.c.gcc" omp
for what in true false ./omp 'sh -c ./omp' 'sh -c kill${IFS}-9${IFS}$$'; do
	for option in '' --keep-going; do
		code=0
		winnow record $option -o t $what > sum 2>&1 || code=$?
		printf '%s ' "$code"
	done
done
echo
#= stdout
#| 125 0 1 1 0 0 0 0 137 137 
#: kept
# an earlier recording is kept as .old, the one before it is not
cp "$COMPILED/cli-omp.c.gcc" omp
for i in 1 2 3; do
	winnow record ./omp > sum 2>&1
	cp omp.winnow "copy$i"
done
cmp omp.winnow copy3
cmp omp.winnow.old copy2
winnow report --json omp.winnow.old | jq .graph.grains
ls *.old*
#= stdout
#| 10
#| omp.winnow.old
#: kept-killed
# what a killed program left in memory is in the recording that is kept
cat > stay.c << 'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 100; i++)
#pragma omp task
		;
	FILE *f = fopen("ready", "w");
	fprintf(f, "%ld\n", (long)getpid());
	fclose(f);
	for (;;)
		pause();
}
END
gcc -fopenmp -o stay stay.c
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t ./stay 2> talk &
winnow=$!
until [ -s ready ]; do sleep 0.1; done
kill -9 "$winnow" "$(cat ready)"
wait "$winnow" 2> /dev/null || true
winnow record -o t ./omp > sum 2>&1
for trace in t.old t; do
	winnow report --json "$trace" | jq .graph.grains
done
#= stdout
#| 100
#| 10
