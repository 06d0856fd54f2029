# a file that may not grow stops the recording, not the program
cp "$COMPILED/cli-omp.c.gcc" omp
ulimit -f 16
winnow record -o t ./omp
#= stdout
#| sum 55
#= stderr glob
#| winnow record: *
