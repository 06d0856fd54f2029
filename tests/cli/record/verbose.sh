# --verbose says the source before the program runs
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record -v ./omp 2> talk
grep expected talk
#= stdout
#| sum 55
#| winnow record: ./omp: expected source: libgomp by wrapping
