# a recorded program: one line with file, size, source and state
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp
ls -- *.winnow
#= stdout
#| sum 55
#| omp.winnow
#= stderr glob
#| winnow record: omp.winnow: * kB*, * grains, libgomp by wrapping, complete*
