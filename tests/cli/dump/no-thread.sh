# a thread that is not there
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow dump --thread 4000 omp.winnow
#= exit 2
#= stderr glob
#| winnow dump: --thread '4000': omp.winnow has * threads, numbered from 0
