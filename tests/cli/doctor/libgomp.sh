# a gcc program: its source and what cannot be seen
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow doctor ./omp
