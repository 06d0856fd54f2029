#: series
# Three runs are a series: the baseline is the one with the fewest threads, whatever the order
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" regions > three.winnow
"$MAKE_TRACE" loop > two.winnow
"$MAKE_TRACE" tasks > other.winnow
winnow diff --json three.winnow other.winnow two.winnow > series.json
jq -c '[.schema, .same_command, .time], [.runs[].file], [.runs[].threads], [.points[] | [.threads, .runs, .median_run]]' \
	series.json
# times are those of single reports, and ratios follow from them
for run in other three; do
	winnow report --json $run.winnow
done | jq -s -c '.[0] as $base | map([
	.totals.work_ns, $base.totals.elapsed_ns / .totals.elapsed_ns,
	$base.totals.elapsed_ns / .totals.elapsed_ns * $base.program.threads / .program.threads])' > expected
jq -c '[(.points[] | .median_run) as $m | .runs[] | select(.file == $m) | .work_ns] as $work |
	[range(.points | length) as $i | [$work[$i], .points[$i].speedup, .points[$i].efficiency]]' series.json > found
jq -n --slurpfile a expected --slurpfile b found \
	'[($a[0] | flatten), ($b[0] | flatten)] | transpose | all((.[0] - .[1]) | fabs < 1e-4)'
# the categories add up to the threads' time, and the differences to what is lost
jq -c '.points[] | [([.categories[].time_ns] | add) == .thread_ns, ([.categories[].change_ns] | add) == .lost_ns]' series.json
#= stdout
#| ["winnow.scaling/1",false,"elapsed_ns"]
#| ["other.winnow","two.winnow","three.winnow"]
#| [2,2,3]
#| [[2,2,"other.winnow"],[3,1,"three.winnow"]]
#| true
#| [true,true]
#| [true,true]
#: series-text
# A series as text fits its sheet
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" regions > b.winnow
for columns in 80 100 120; do
	COLUMNS=$columns winnow diff a.winnow b.winnow a.winnow b.winnow | awk -v columns=$columns "
		length > columns { print } /speed-up.*efficiency/ { n++ } END { print n }"
done
winnow diff --group P0 a.winnow a.winnow a.winnow
#= exit 2
#= stdout
#| 1
#| 1
#| 1
#= stderr
#| winnow diff: --group compares two recordings, and no more
#: threads-only
# --threads-only refuses what differs in more
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff --threads-only a.winnow a.winnow > /dev/null
winnow diff --threads-only a.winnow b.winnow
#= exit 1
#= stderr glob
#| winnow diff: a.winnow and b.winnow: * differs; --threads-only compares nothing else
