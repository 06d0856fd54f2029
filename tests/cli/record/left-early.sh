# a program that leaves by _exit leaves a readable trace
cp "$COMPILED/cli-ends.c.gcc" ends
winnow record -o t ./ends _exit
#= exit 4
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, not closed by the program, readable*
