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
