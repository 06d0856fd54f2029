# a process that outlives the program is not waited for, and said
cp "$COMPILED/cli-ends.c.gcc" ends
winnow record -o t sh -c './ends sleep & sleep 0.5'
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, 1 of its processes still running
