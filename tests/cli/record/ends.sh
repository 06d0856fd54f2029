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
