# libgomp linked into the program: says so, also when it is stripped
archive=$(gcc -print-file-name=libgomp.a)
[ -f "$archive" ] || { echo "no libgomp.a"; exit 77; }
gcc -fopenmp -c "$PROGRAMS/omp.c"
gcc -o omp omp.o "$archive" -lpthread -ldl
winnow record ./omp
strip omp
winnow record ./omp
#= stdout
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: nothing recorded: libgomp is linked into the program: *
#| winnow record: nothing recorded: libgomp is linked into the program: *
