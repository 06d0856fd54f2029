# libomp that is opened late is recorded
cp "$COMPILED/cli-late.c.gcc-fno-openmp" late
$CLANG -fopenmp -shared -fPIC -o library.so "$PROGRAMS/library.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t ./late ./library.so
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: *, libomp by OMPT, complete*
