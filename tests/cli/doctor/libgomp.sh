# a gcc program: its source and what cannot be seen
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow doctor ./omp
#= stdout glob
#| *this program
#|   file          ./omp
#|   links         /*libgomp.so.1*
#|   source        libgomp by wrapping
#|
#| what cannot be seen of it
#|   schedule(static): *
