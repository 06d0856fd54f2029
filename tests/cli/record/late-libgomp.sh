# a runtime that is opened late is recorded
gcc -o late "$PROGRAMS/late.c" -ldl
gcc -fopenmp -shared -fPIC -o library.so "$PROGRAMS/library.c"
winnow record -v -o t ./late ./library.so
#= stdout
#| sum 55
#= stderr glob
#| *expected source: none yet: *
#| winnow record: t: *, libgomp by wrapping, complete*
