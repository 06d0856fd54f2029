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
#: exit-status
# the program's exit status passes through
winnow record sh -c 'exit 77; :' 2> /dev/null || echo "status $?"
#= stdout
#| status 77
#: aborted
# a program that aborts leaves a readable trace
cp "$COMPILED/cli-ends.c.gcc" ends
ulimit -c 0
winnow record -o t ./ends abort
#= exit 134
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, not closed by the program, readable*
#: killed
# a program killed by signal n gives 128 + n
winnow record sh -c 'kill -9 $$' 2> /dev/null || echo "status $?"
winnow record sh -c 'kill -TERM $$' 2> /dev/null || echo "status $?"
#= stdout
#| status 137
#| status 143
#: left-early
# a program that leaves by _exit leaves a readable trace
cp "$COMPILED/cli-ends.c.gcc" ends
winnow record -o t ./ends _exit
#= exit 4
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, not closed by the program, readable*
#: interrupt
# an interrupt ends the program, not winnow
winnow record sh -c 'kill -INT $PPID; kill -QUIT $PPID; exit 5' 2> /dev/null
#= exit 5
#: terminate
# SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 sent to winnow reach the program
cat > child <<'EOF'
#!/bin/sh
got=
for name in TERM HUP USR1 USR2; do
	trap "got=$name; echo $name" "$name"
done
for name in TERM HUP USR1 USR2; do
	kill -"$name" "$PPID"
	tries=0
	until [ "$got" = "$name" ] || [ "$tries" -gt 300 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
done
exit 6
EOF
chmod +x child
# under nohup, the shell could not trap what it inherits as ignored
env --default-signal=HUP winnow record ./child 2> /dev/null
#= exit 6
#= stdout
#| TERM
#| HUP
#| USR1
#| USR2
#: terminate-default
# a program that SIGTERM ends gives 143
winnow record sh -c 'kill -TERM $PPID; while :; do sleep 0.05; done' 2> /dev/null
#= exit 143
#: child-end
# only the process that was launched has its exit status and run time
cp "$COMPILED/cli-ends.c.gcc" ends
status=0
winnow record -o t sh -c './ends _exit; ./ends; sleep 0.3; exit 3' 2> /dev/null || status=$?
echo "$status"
for trace in t t.*; do
	winnow dump "$trace" | grep -c -e '^wait-status' -e '^wall' || true
	winnow report -v "$trace" | tr -s '\n ' ' ' | grep -o 'exit status and run time are not known'
	winnow report --json "$trace" | grep -c -e '"exit_status": null' -e '"wall_ns": null'
done
#= stdout
#| 3
#| 0
#| exit status and run time are not known
#| 2
#| 0
#| exit status and run time are not known
#| 2
#: child-ignored
# the exit status is known although SIGCHLD is ignored
trap '' CHLD
winnow record sh -c 'exit 9' 2> /dev/null
#= exit 9
#: exec-end
# a process that becomes another program: the last one has the exit status
cp "$COMPILED/cli-ends.c.gcc" ends
cp "$COMPILED/cli-binary.c.gcc" binary
winnow record -o one sh -c 'exec ./ends _exit' 2> /dev/null || echo "$?"
winnow dump one | grep '^wait-status'
winnow record -o two ./ends exec ./binary > /dev/null 2>&1 || echo "$?"
for trace in two two.*; do
	winnow dump "$trace" | grep -e '^argv' -e '^wait-status'
done
#= stdout
#| 4
#| wait-status 1024
#| 3
#| argv ./ends exec ./binary
#| wait-status 768
#| argv ./binary
#: still-running
# a process that outlives the program is not waited for, and said
cp "$COMPILED/cli-ends.c.gcc" ends
status=0
winnow record -o t sh -c './ends stay & echo $! > process; until [ -e stays ]; do sleep 0.1; done' || status=$?
kill "$(cat process)"
exit "$status"
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, 1 of its processes still running
#: left-running
# of a process that is still there nothing is said but that: it may run OpenMP constructs later
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t sh -c '(until test -e go; do sleep 0.1; done; ./omp; : > gone) > /dev/null & exit 0'
touch go
for i in $(seq 200); do
	test ! -e gone || break
	sleep 0.1
done
winnow check t > /dev/null
#= stderr glob
#| winnow record: nothing recorded so far: process [0-9]*, started by sh, still run*; what may be recorded of it is written to */t

#: file-gone
# a trace that is deleted, emptied or cut while the program runs: the line at the end does not say complete
cat > ends.c << 'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int n = 0;
#pragma omp parallel
#pragma omp atomic
	n++;
	if (system(getenv("THEN")) != 0)
		return 1;
	return n == 0;
}
END
gcc -fopenmp -o ends ends.c
THEN='rm t' winnow record -o t ./ends 2> talk
grep -q 't: cannot open: No such file or directory' talk
grep -q 'winnow record: t: the trace file is gone$' talk
THEN='rm u; echo text > u' winnow record -o u ./ends 2> talk
grep -q 'winnow record: u: the trace file is gone$' talk
#: file-is-folder
# a folder is not overwritten
mkdir folder
winnow record -o folder echo ran
#= exit 2
#= stderr
#| winnow record: folder: is a folder
#: file-is-text
# a file that is no trace is not overwritten, and the program not run
echo precious > file
winnow record -o file echo ran || status=$?
cat file
exit "$status"
#= exit 2
#= stdout
#| precious
#= stderr
#| winnow record: file: exists and is not a Winnow trace; not overwritten
#: file-limit
# a file that may not grow stops the recording, not the program
cp "$COMPILED/cli-omp.c.gcc" omp
ulimit -f 16
winnow record -o t ./omp
#= stdout
#| sum 55
#= stderr glob
#| winnow record: *
#: folder-is-file
# where the trace cannot be created the program runs unrecorded
echo text > file
winnow record -k -o file/trace sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr
#| winnow record: file/trace: cannot be created: Not a directory; the program runs unrecorded
#: folder-missing
# where the folder is missing the program runs unrecorded
winnow record -k -o no/trace sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr
#| winnow record: no/trace: cannot be created: No such file or directory; the program runs unrecorded
#: folder-read-only
# in a folder that takes no files the program runs unrecorded
winnow record -k -o /proc/self/trace sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr glob
#| winnow record: /proc/self/trace: cannot be created: *; the program runs unrecorded
#: replaced
# an old recording is replaced, with the files of its other processes
cp "$COMPILED/cli-omp.c.gcc" omp
printf '\211WINNOW\n' > t
printf '\211WINNOW\n' > t.1234
printf 'text' > t.1235
winnow record -o t ./omp 2> /dev/null
ls t*
#= stdout
#| sum 55
#| t
#| t.1235
#| t.old
#| t.old.1234
#: through-a-link
# a link to a trace: the trace it names is replaced
cp "$COMPILED/cli-omp.c.gcc" omp
mkdir far
printf '\211WINNOW\n' > far/t
ln -s far/t t
winnow record -o t ./omp 2> /dev/null
test -h t
test "$(stat -c %s far/t)" -gt 8
#= stdout
#| sum 55
#: several-processes
# a script that starts two programs leaves a trace for each
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t sh -c './omp; ./omp'
ls t t.* | wc -l
#= stdout
#| sum 55
#| sum 55
#| 2
#= stderr glob
#| winnow record: t and 1 more, one for each process: *, libgomp by wrapping, complete*
#: few-descriptors
# a program with few descriptors gets the same ones recorded, or is not recorded and a line says why
cp "$COMPILED/cli-limits.c.gcc" limits
for n in 4 5 6 7 8 12 15; do
	status=0
	(ulimit -n $n; exec ./limits files) > plain || status=$?
	test $status -eq 3
	status=0
	(ulimit -n $n; exec winnow record -o t ./limits files) > recorded 2> talk || status=$?
	test $status -eq 3
	cmp plain recorded
	test "$(wc -l < talk)" -eq 1
	# a limit that may be raised: the recorder is beyond it
	status=0
	(ulimit -Sn $n; exec winnow record -o t ./limits files) > recorded 2> talk || status=$?
	test $status -eq 3
	cmp plain recorded
	grep -q 'winnow record: t: .*complete' talk
done
#: few-descriptors-replaced
# where only one descriptor is free an earlier recording is replaced all the same
cp "$COMPILED/cli-limits.c.gcc" limits
winnow record -o t sh -c './limits; ./limits; exit 0' > /dev/null 2>&1
ls t t.* | wc -l
(ulimit -Sn 4; exec winnow record -o t ./limits) > /dev/null 2>&1 || true
ls t t.* 2> /dev/null | wc -l
winnow check t > /dev/null
#= stdout
#| 2
#| 3
#: no-descriptors
# the program gets no file descriptor more than without winnow
ls -l /proc/self/fd | wc -l > without
winnow record ls -l /proc/self/fd 2> /dev/null | wc -l > with
cmp without with
#: closed-streams
# closed standard streams do no harm
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t ./omp < /dev/null > /dev/null 2>&1 <&-
winnow record -o u ./omp >&- 2>&- <&- || true
test -s t
test -s u
