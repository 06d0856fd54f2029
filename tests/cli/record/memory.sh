#: memory-cost
# the recorder takes less than a megabyte of a program's address space
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_THREAD_LIMIT=1
plain=$(./limits peak)
recorded=$(winnow record ./limits peak 2> /dev/null)
test $((recorded - plain)) -lt 1000 || echo "$((recorded - plain)) kB"
#: no-memory
# a program that has used up all its memory goes on, and the line says what is missing
(ulimit -v 100000; exec winnow --version) > version 2>&1 || { echo "winnow itself needs more, with a sanitizer"; exit 77; }
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_THREAD_LIMIT=1
for keep in 0 8 64; do
	status=0
	(ulimit -v 100000; exec winnow record -o t ./limits memory $keep) 2> talk || status=$?
	test $status -eq 3
	grep -q -e 'no memory' -e 'Cannot allocate memory' talk || cat talk
done
#= stdout
#| tasks 100
#| tasks 100
#| tasks 100
#: short-threads
# a trace of many threads that do little is mostly holes, and the line says so
cp "$COMPILED/cli-short_threads.c.gcc" short_threads
winnow record -o t ./short_threads
test "$(stat -c %s t)" -gt 20000000
test "$(($(stat -c %b t) * 512))" -lt 4000000 || { echo "this file system knows no holes"; exit 77; }
#= stderr glob
#| winnow record: t: * MB (26.* MB with holes), * grains, libgomp by wrapping, complete*
#: small-stack
# a limit of the stack that is enough for the program is enough for what records it
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_STACKSIZE=128k
for kb in 32 64; do
	status=0
	(ulimit -s $kb; exec winnow record -o t ./limits) 2> talk || status=$?
	test $status -eq 3
	grep -q complete talk
done
#= stdout
#| tasks 200
#| tasks 200
#: some-not-recorded
# processes of which some could not be recorded: a line says how many, and why the first one
cp "$COMPILED/cli-omp.c.gcc" omp
if (ulimit -n 16; ulimit -n 64) 2> /dev/null; then
	echo "limits may be raised here"
	exit 77
fi
winnow record -o t sh -c './omp; ulimit -n 15; ./omp; ./omp'
#= stdout
#| sum 55
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, *
#| winnow record: not recorded: 2 processes more, as the recorder could not start: the first was process [0-9]*: create: Too many open files
