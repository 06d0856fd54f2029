# a link to a trace: the trace it names is replaced
cp "$COMPILED/cli-omp.c.gcc" omp
mkdir far
printf '\211WINNOW\n' > far/t
ln -s far/t t
winnow record -o t ./omp 2> /dev/null
test -h t
test "$(stat -c %s far/t)" -gt 8
#= stdout
#| sum 55
