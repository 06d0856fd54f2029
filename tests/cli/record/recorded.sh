# a recorded program: one line with file, size, source and state
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp
ls -- *.winnow
#= stdout
#| sum 55
#| omp.winnow
#= stderr glob
#| winnow record: omp.winnow: * kB*, * grains, libgomp by wrapping, complete*
