# a recorded run, exported as a task table and imported again, has its structure and its numbers
cp "$COMPILED/cli-omp.c.gcc" omp
OMP_NUM_THREADS=2 winnow record ./omp > /dev/null 2>&1
winnow export omp.winnow --format mir-csv > omp.csv
winnow import --quiet omp.csv -o again.winnow
winnow check again.winnow > /dev/null
# what both count: nodes, fork-joins, work of what is drawn, span of the reduced form
winnow report omp.winnow --compat --json > a.json
winnow report again.winnow --json > b.json
jq -e '.unit == "ns"' b.json
for key in .graph.nodes .graph.fork_joins .graph.chunks; do
	[ "$(jq "$key" a.json)" = "$(jq "$key" b.json)" ] || echo "$key: $(jq "$key" a.json) $(jq "$key" b.json)"
done
work() { winnow export "$1" --format csv | sed 1d | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "work_ns") c = i }
	NR > 1 { sum += $c } END { printf "%.0f\n", sum }'; }
winnow export omp.winnow --format mir-csv | sed 1d | awk -F, 'NR > 1 { sum += $7 - $9 } END { printf "%.0f\n", sum }' > x
[ "$(cat x)" = "$(work again.winnow)" ] || echo "work: $(cat x) $(work again.winnow)"
#= stdout
#| true
