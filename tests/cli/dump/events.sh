# events have times, names, kinds, places and values
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp > /dev/null 2>&1
winnow dump --thread 0 omp.winnow
