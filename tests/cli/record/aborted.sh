# a program that aborts leaves a readable trace
gcc -fopenmp -o ends "$PROGRAMS/ends.c"
ulimit -c 0
winnow record -o t ./ends abort
