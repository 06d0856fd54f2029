# a script that starts two programs leaves a trace for each
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record -o t sh -c './omp; ./omp'
ls t t.* | wc -l
