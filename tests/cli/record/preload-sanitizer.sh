# a sanitizer's runtime that the user preloads stays first
library=$(gcc -print-file-name=libasan.so)
library=$(realpath "$library" 2> /dev/null) || { echo "no libasan"; exit 77; }
[ -f "$library" ] || { echo "no libasan"; exit 77; }
gcc -fsanitize=address -fopenmp -o omp "$PROGRAMS/omp.c"
unset ASAN_OPTIONS
# linked, and not preloaded: it would refuse to start behind the recorder
winnow record ./omp 2> /dev/null
#= stdout
#| sum 55
