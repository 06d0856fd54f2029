# a whole trace: its graph obeys the laws
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp > /dev/null 2>&1
winnow check omp.winnow
