# a gcc program: its source and what cannot be seen
cp "$COMPILED/cli-omp.c.gcc" omp
winnow doctor ./omp
#= stdout glob
#| *this program
#|   file          ./omp
#|   links         /*libgomp.so.1*
#|   source        libgomp by wrapping
#|
#| what cannot be seen of it
#|   schedule(static): *
