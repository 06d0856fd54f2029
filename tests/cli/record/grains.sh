# the line at the end counts the grains of all processes, as reports do
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-binary.c.gcc" binary
winnow record -o t sh -c './omp; ./binary; exit 0' > /dev/null 2> talk < /dev/null
said=$(grep -o '[0-9,]* grains,' talk | tr -cd 0-9)
counted=0
for trace in t t.*; do
	counted=$((counted + $(winnow report --json "$trace" | sed -n '/^  "graph"/,/}/s/ *"grains": \([0-9]*\),/\1/p')))
done
test "$counted" -gt 1000
test "$said" = "$counted"
