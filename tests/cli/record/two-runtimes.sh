# two programs on two runtimes are told apart
cp "$COMPILED/cli-omp.c.gcc" a
$CLANG -fopenmp -o b "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t sh -c './a; ./b'
#= stdout
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: t and 1 more, *, libomp by OMPT and libgomp by wrapping, complete*
