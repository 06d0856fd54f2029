#: metric
# A metric of the user is a column, a problem type and a row of its own
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --json tasks.winnow --metric "cost = creation_ns / work_ns" --bad high --threshold 300% --metric "twice = 2 * cost" --propagate mean > report.json
jq -c "$NUMBERS"' | .metrics[]' report.json
jq -c '.problems[] | select(.type == "cost")' report.json
jq -c '.sites[] | [.grains, .problems.cost]' report.json
winnow report tasks.winnow --metric "cost = creation_ns / work_ns" --bad high --threshold 3.5 | sed -n '/^Problem/,/^Limitations/p'
winnow export tasks.winnow --format csv --metric "cost = creation_ns / work_ns" | sed -n '2,4p' | cut -d, -f3,45
#= stdout
#| {"name":"cost","expression":"creation_ns / work_ns","bad":"high","threshold":3,"propagate":"max","values":{"count":200,"missing":0,"sum":796.008,"mean":3.98004,"min":0.008,"median":4,"p95":4,"max":4}}
#| {"name":"twice","expression":"2 * cost","bad":"none","threshold":null,"propagate":"mean","values":{"count":200,"missing":0,"sum":1592.02,"mean":7.96008,"min":0.016,"median":8,"p95":8,"max":8}}
#| {"type":"cost","condition":"> 3","count":199,"on_critical_path":0,"work_ns":39800}
#| [199,199]
#| [2,0]
#| [1,0]
#| Problem grains
#|   grains   of all  critical  that                       condition
#|      199   99.5 %         0  cost more to make than ..  parallel_benefit < 1
#|      200  100.0 %         0  have a far longer sibling  sibling_work_balance > 2
#|      199   99.5 %         0  are above the threshold    cost > 3.5
#|
#| Your metrics
#|   metric  grains  least  median  mean  most  is
#|   cost       200  0.008       4  3.98     4  creation_ns / work_ns
#|
#| Limitations of this recording
#| kind,cost
#| implicit,
#| task,0.008
#: metric-fault
# A metric that means nothing is a usage error
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --metric "x = 1 + wrok_ns"
#= exit 2
#= stderr
#| winnow report: metric 'x': column 9: unknown name 'wrok_ns'; did you mean 'work_ns'?
#: metric-syntax
# A metric that cannot mean anything is a usage error, before the file is looked at
winnow report missing.winnow --metric "x = 1 + "
#= exit 2
#= stderr
#| winnow report: metric 'x': column 8: expected a value, found the end
#: metric-unknown
# What no grain has is null, and named as not measured
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --json tasks.winnow --metric "x = locked_ns / exec_ns" --bad high --threshold 1 > report.json
jq -c '(.problems[] | select(.type == "x")), .sites[0].problems.x, .metrics[0].values.count, (.fidelity[] | select(.construct == "x") | .note)' report.json
#= stdout
#| {"type":"x","condition":"> 1","count":null,"on_critical_path":null,"work_ns":null}
#| null
#| 0
#| "not measured: no grain has a value of it"
#: metrics-file
# A file of metrics says the same as options do, thresholds too
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
cat > my.metrics << 'END'
# what tasks cost
metric cost = creation_ns / work_ns
    bad high
    threshold 300%
metric twice = 2 * cost
    propagate mean
threshold sibling_work_balance > 200
END
winnow report --json tasks.winnow --metrics my.metrics > file.json
winnow report --json tasks.winnow --metric "cost=creation_ns/work_ns" --bad high --threshold 3 --metric "twice = 2*cost" --propagate mean --threshold "sibling_work_balance>200" > options.json
jq -c '.problems[] | select(.count > 0)' file.json
jq 'del(.metrics[].expression)' file.json > a
jq 'del(.metrics[].expression)' options.json > b
cmp a b
#= stdout
#| {"type":"parallel_benefit","condition":"< 1","count":199,"on_critical_path":0,"work_ns":39800}
#| {"type":"cost","condition":"> 3","count":199,"on_critical_path":0,"work_ns":39800}
#: metrics-file-fault
# A fault in a file of metrics has its line and column
printf '# first\nmetric a = work_ns\nmetric b = a + wrok_ns\n' > my.metrics
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --metrics my.metrics
#= exit 2
#= stderr
#| winnow report: my.metrics:3:16: unknown name 'wrok_ns'; did you mean 'work_ns'?
#: metrics-file-missing
# A file of metrics that is not there is a failure
winnow report missing.winnow --metrics my.metrics
#= exit 1
#= stderr
#| winnow report: --metrics my.metrics: No such file or directory
#: columns
# COLUMNS is the width, kept within 80 and 120
"$MAKE_TRACE" killed > killed.winnow
for columns in 20 80 95 120 500; do
	COLUMNS=$columns winnow report killed.winnow | awk -v columns=$columns "
		length > most { most = length }
		END { print (columns < 80 ? most <= 80 : columns > 120 ? most <= 120 : most <= columns) }"
done | sort -u
#= stdout
#| 1

#: group
# --group reports on what is inside one group
"$MAKE_TRACE" tasks > tasks.winnow
id=$(winnow tree tasks.winnow --depth 2 --json | sed -n "s/^      \"id\": \"\(.*F0\)\",/\1/p" | tail -n 1)
winnow report tasks.winnow --group "$id"
#= stdout
#| ./fake 10: only P0.t0/F0, 200 grains. Work 140 us, span 100 us (each parent's
#| work before its children's): parallelism 1.40.
#| Where the threads' time went and what to change is known for the whole run only.
#|
#| Places in the source, worst first
#|   place   kind  grains     work  of all  median  creation  problem
#|   0x5000  task       1   100 us  71.5 %  100 us    800 ns  100% uneven siblings
#|   0x3000  task     199  39.8 us  28.5 %  200 ns    800 ns  100% too small
#|
#| Problem grains
#|   grains   of all  critical  that                       condition
#|      199   99.5 %         0  cost more to make than ..  parallel_benefit < 1
#|      200  100.0 %         0  have a far longer sibling  sibling_work_balance > 2
#: group-bad
# Groups that are none, and what is of the whole run only
"$MAKE_TRACE" loop > loop.winnow
for options in "--group P0.t9/F0" "--group P0.t0/F0 --theta" "--group P0.t0/F0 --fail-if advice<4"; do
	status=0
	# shellcheck disable=SC2086
	winnow report loop.winnow $options || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#= stderr
#| winnow report: no grain is called 'P0.t9'; the root is R/F0
#| winnow report: --group: --theta is about the whole run
#| winnow report: --fail-if 'advice<4': column 1: unknown name 'advice'
#: group-json
# --json of a group: its totals, problems and places, and nothing of the whole run
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --group P0.t0/F0 --json > group.json
jq -c "$NUMBERS | [.group, .totals, .time, .advice, .threads, (.sites | map([.kind, .count, .work_ns])), (.problems | map(select(.count > 0) | [.type, .count]))]" group.json
# the parts of the root are the root
total() { winnow report loop.winnow --group "$1" --json | jq ".totals.$2"; }
for key in work_ns grains; do
	[ "$(total R/F0 "$key")" = $(($(total P0.t0/L "$key") + $(total P0.t1/L "$key"))) ] || echo "$key"
done
#= stdout
#| ["P0.t0/F0",{"grains":3,"implicit_tasks":0,"work_ns":3000000,"grain_work_ns":3000000,"span_ns":1000000,"parallelism":3,"creation_ns":1500,"sync_ns":0},null,null,null,[["chunk",null,3000000]],[]]

#: simulated-cutoff
# a recursion of small tasks: the best cut-off stands in the advice, and the saving is in its range
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 20 20 > /dev/null 2>&1 || exit 77
winnow predict a.winnow --threads 1 > /dev/null 2>&1 || exit 77
winnow report a.winnow --json > a.json
jq -e '[.advice[] | select(.rule == "small_tasks" and .gain_source == "simulation")] | length == 1' a.json > /dev/null || exit 77
jq -c '.advice[] | select(.rule == "small_tasks") | .gain_low_ns <= .gain_expected_ns and .gain_expected_ns <= .gain_high_ns and .gain_high_ns <= .gain_ns,
	.best_first <= .best_last and .best_last <= 20' a.json
jq -r '.advice[] | select(.rule == "small_tasks") | .try' a.json | sed 's/[0-9][0-9]*/N/g; s/N to N/N/; s/ or less//'
winnow report a.winnow | grep -cE 'try: a cut-off at depth [0-9]'
winnow report -v a.winnow | grep -c 'of the time, simulated)'
# the same bytes again
winnow report a.winnow --json | cmp - a.json
#= stdout
#| true
#| true
#| a cut-off at depth N: stop creating tasks below some size: a cut-off, final(), or taskloop grainsize()
#| 1
#| 1
#: simulated-not
# a finding whose change is not simulated has no value, and says where its saving comes from
OMP_NUM_THREADS=2 winnow record -o a.winnow "$COMPILED/bench-regions.c.gcc" > /dev/null 2>&1 || exit 77
winnow report a.winnow --json | jq -c '[.advice[] | select(.rule != "small_tasks" and .rule != "small_chunks" and .rule != "uneven_loop") | [.gain_source, .best_first, .best_last]] | unique | . - [["corpus", null, null]]'
#= stdout
#| []
