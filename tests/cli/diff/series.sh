# Three runs are a series: the baseline is the one with the fewest threads, whatever the order
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" regions > three.winnow
"$MAKE_TRACE" loop > two.winnow
"$MAKE_TRACE" tasks > other.winnow
winnow diff --json three.winnow other.winnow two.winnow > series.json
jq -c '[.schema, .baseline, .same_command, .time], [.runs[].file], [.runs[].threads]' series.json
# ratios are those of single reports
for run in other two three; do
	winnow report --json $run.winnow
done | jq -s -c '.[0] as $base | map([
	.totals.work_ns / $base.totals.work_ns, $base.totals.elapsed_ns / .totals.elapsed_ns,
	$base.totals.elapsed_ns / .totals.elapsed_ns * $base.program.threads / .program.threads,
	.totals.parallelism])' > expected
jq -c '[.runs[] | [.work_inflation, .speedup, .efficiency, .parallelism]]' series.json > found
jq -n --slurpfile a expected --slurpfile b found \
	'[($a[0] | flatten), ($b[0] | flatten)] | transpose | all((.[0] - .[1]) | fabs < 1e-4)'
#= stdout
#| ["winnow.series/1","other.winnow",false,"elapsed_ns"]
#| ["other.winnow","two.winnow","three.winnow"]
#| [2,2,3]
#| true
