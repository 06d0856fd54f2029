# Conditions on a group are about what is inside it: three grains of six
"$MAKE_TRACE" loop > loop.winnow
for condition in "count(work_ns > 0) == 3" "grains != 3" "parallelism == 3"; do
	status=0
	winnow report loop.winnow --group P0.t0/F0 --fail-if "$condition" > /dev/null || status=$?
	echo "$status"
done
winnow report loop.winnow --json | jq .graph.grains
#= stdout
#| 4
#| 0
#| 4
#| 6
#= stderr
#| winnow report: loop.winnow: --fail-if 'count(work_ns > 0) == 3' holds: count(work_ns > 0) is 3
#| winnow report: loop.winnow: --fail-if 'parallelism == 3' holds: parallelism is 3
