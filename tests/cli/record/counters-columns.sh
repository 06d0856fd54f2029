# A counter's column has no name that a column of every run has, nor that of a weight
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o omp.winnow ./omp > omp.out 2>&1
winnow export -f csv -o omp.csv omp.winnow
for name in $(awk -F, '!/^#/ { gsub(",", " "); print; exit }' omp.csv) work time; do
	code=0
	winnow record -o x.winnow --counters "$name=task-clock" echo "not printed" 2> why || code=$?
	[ $code = 2 ] && grep -q "'$name' is what something else is called" why || echo "$name: exit $code"
done
winnow record -o x.winnow --counters "line=task-clock" echo "not printed" 2>&1 || echo "exit $?"
winnow record -o x.winnow --counters "lines=task-clock" echo "printed" 2> why
#= stdout
#| winnow record: --counters: 'line' is what something else is called; give it another name
#| exit 2
#| printed
