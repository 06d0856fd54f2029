# an old recording is replaced, with the files of its other processes
cp "$COMPILED/cli-omp.c.gcc" omp
printf '\211WINNOW\n' > t
printf '\211WINNOW\n' > t.1234
printf 'text' > t.1235
winnow record -o t ./omp 2> /dev/null
ls t*
#= stdout
#| sum 55
#| t
#| t.1235
