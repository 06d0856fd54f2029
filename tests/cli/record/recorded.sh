# a recorded program: one line with file, size, source and state
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp
ls -- *.winnow
