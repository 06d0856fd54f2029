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
winnow record -o t sh -c './ends sleep & sleep 0.5'
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
#| winnow record: file: exists and is not a Winnow trace; left as it is
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
