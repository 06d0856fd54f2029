# a file that may not grow stops the recording, not the program
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
ulimit -f 16
winnow record -o t ./omp
#= stdout
#| sum 55
#= stderr glob
#| winnow record: *
