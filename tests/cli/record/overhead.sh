# the line at the end tells what recording cost, of a program that takes a moment
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t sh -c './omp; i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: * 10 grains, libgomp by wrapping, complete; recording took * of the CPU time
