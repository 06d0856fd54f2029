# --limit counts the events of each thread
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow dump --thread 0 --limit 2 omp.winnow | sed -n "/^thread 0/,\$p" | wc -l
#= stdout
#| 3
