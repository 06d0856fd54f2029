# --verbose says the source before the program runs
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -v ./omp 2> talk
grep expected talk
#= stdout
#| sum 55
#| winnow record: ./omp: expected source: libgomp by wrapping
