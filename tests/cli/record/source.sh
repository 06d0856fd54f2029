# --source chooses by what a program is recorded, and names are checked before it starts
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record --source libgomp ./omp
winnow record --source auto -o auto.winnow ./omp
winnow record --source gomp ./omp || echo "status $?"
winnow record --source ompt ./omp || echo "status $?"
winnow run --source=pomp2 ./omp || echo "status $?"
