# a clang program: its source and what cannot be seen
$CLANG -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow doctor ./omp
#= stdout glob
#| *  source        libomp by OMPT
#|
#| what cannot be seen of it
#|   schedule(static,c): *
