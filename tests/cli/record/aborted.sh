# a program that aborts leaves a readable trace
cp "$COMPILED/cli-ends.c.gcc" ends
ulimit -c 0
winnow record -o t ./ends abort
#= exit 134
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, not closed by the program, readable*
