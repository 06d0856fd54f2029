# a runtime that is opened late is recorded
cp "$COMPILED/cli-late.c.gcc-fno-openmp" late
gcc -fopenmp -shared -fPIC -o library.so "$PROGRAMS/library.c"
winnow record -v -o t ./late ./library.so
#= stdout
#| sum 55
#= stderr glob
#| *expected source: none yet: *
#| winnow record: t: *, libgomp by wrapping, complete*
