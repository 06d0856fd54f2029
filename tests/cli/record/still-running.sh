# a process that outlives the program is not waited for, and said
gcc -fopenmp -o ends "$PROGRAMS/ends.c"
winnow record -o t sh -c './ends sleep & sleep 0.5'
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, 1 of its processes still running
