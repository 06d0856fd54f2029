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
