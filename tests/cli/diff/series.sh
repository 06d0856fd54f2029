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

#: damaged
# A damaged recording is compared as far as it goes
"$MAKE_TRACE" damaged > damaged.winnow
"$MAKE_TRACE" loop > loop.winnow
winnow diff loop.winnow damaged.winnow > /dev/null
#= exit 3
#= stderr glob
#| winnow diff: damaged.winnow: *damaged*the result is of the rest
#: cut
# A file cut anywhere is compared as far as it goes, or refused, never a crash
"$MAKE_TRACE" loop > loop.winnow
for bytes in $(seq 1 30001 400000); do
	head -c "$bytes" loop.winnow > cut.winnow
	for order in "loop.winnow cut.winnow" "cut.winnow loop.winnow"; do
		status=0
		winnow diff $order > /dev/null 2> stderr || status=$?
		test "$(wc -l < stderr)" -le 1
		case $status in 0 | 1 | 3) ;; *) echo "$bytes: $status" ;; esac
	done
done
#: hostile
# Nothing of a hostile trace steers the terminal, and its JSON is valid
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" hostile > hostile.winnow
"$MAKE_TRACE" loop > loop.winnow
LC_ALL=C.UTF-8 winnow diff hostile.winnow loop.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow diff --json loop.winnow hostile.winnow | jq -r .schema
#= stdout
#| 0
#| winnow.diff/1
#: not-a-trace
# What is no recording is refused, whichever it is
"$MAKE_TRACE" loop > loop.winnow
echo no trace > text
: > empty
for other in text empty missing .; do
	winnow diff loop.winnow $other && echo "$other"
	winnow diff $other loop.winnow && echo "$other"
done
true
#= stderr glob
#| winnow diff: text: *
#| winnow diff: text: *
#| winnow diff: empty: *
#| winnow diff: empty: *
#| winnow diff: missing: *
#| winnow diff: missing: *
#| winnow diff: .: *
#| winnow diff: .: *
#: one-operand
# Two recordings are needed
winnow diff a.winnow
#= exit 2
#= stderr glob
#| winnow diff: *
