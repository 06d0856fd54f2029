# Conditions on a group are about what is inside it: three grains of six
"$MAKE_TRACE" loop > loop.winnow
for condition in "count(work_ns > 0) == 3" "grains != 3" "parallelism == 3"; do
	status=0
	winnow report loop.winnow --group P0.t0/F0 --fail-if "$condition" > /dev/null || status=$?
	echo "$status"
done
winnow report loop.winnow --json | jq .graph.grains
