# quiet: the exit status tells
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow check --quiet omp.winnow
