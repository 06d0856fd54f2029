# quiet: the exit status tells
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp > /dev/null 2>&1
winnow check --quiet omp.winnow
