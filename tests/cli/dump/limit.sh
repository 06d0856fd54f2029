# --limit counts the events of each thread
gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp > /dev/null 2>&1
winnow dump --thread 0 --limit 2 omp.winnow | sed -n "/^thread 0/,\$p" | wc -l
#= stdout
#| 3
