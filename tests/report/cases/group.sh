#: group
# --group reports on what is inside one group
"$MAKE_TRACE" tasks > tasks.winnow
id=$(winnow tree tasks.winnow --depth 2 --json | sed -n "s/^      \"id\": \"\(.*F0\)\",/\1/p" | tail -n 1)
winnow report tasks.winnow --group "$id"
#= stdout
#| ./fake 10: only P0.t0/F0, 200 grains. Work 140 us, span 100 us (each parent's work before its
#| children's): parallelism 1.40.
#| Where the threads' time went and what to change is said of the whole run only.
#|
#| Places in the source, worst first
#|   place   kind  grains     work  of all  median  creation  problem
#|   0x5000  task       1   100 us  71.5 %  100 us    800 ns  100% uneven siblings
#|   0x3000  task     199  39.8 us  28.5 %  200 ns    800 ns  100% too small
#|
#| Problem grains
#|   grains   of all  critical  that                            condition
#|      199   99.5 %         0  cost more to make than they do  parallel_benefit < 1
#|      200  100.0 %         0  have a far longer sibling       sibling_work_balance > 2
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
