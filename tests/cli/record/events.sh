# the line at the end counts the events of all processes, as check does
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
gcc -fopenmp -o binary "$PROGRAMS/binary.c"
winnow record -o t sh -c './omp; ./binary; exit 0' > /dev/null 2> talk < /dev/null
said=$(grep -o '[0-9,]* events,' talk | tr -cd 0-9)
counted=0
for trace in t t.*; do
	counted=$((counted + $(winnow check "$trace" | sed -n 's/.* \([0-9]*\) events,.*/\1/p')))
done
test "$counted" -gt 4096
test "$said" = "$counted"
