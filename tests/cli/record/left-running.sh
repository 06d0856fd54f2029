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
