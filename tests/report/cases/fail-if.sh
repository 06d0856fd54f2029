#: fail-if
# A condition that holds is exit status 4, and said; one that does not is silent
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "chunks > 5" --fail-if "parallelism<2" > /dev/null
#= exit 4
#= stderr
#| winnow report: loop.winnow: --fail-if 'chunks > 5' holds: chunks is 6
#: fail-if-grains
# A condition may be over all grains, and over what a report alone does not keep
"$MAKE_TRACE" tasks > tasks.winnow
winnow report tasks.winnow --fail-if "count(work_ns < 1us) / grains > 50% and advice > 0" --fail-if "max(end_ns) < 1us" --fail-if "median(inst_par_max where kind == task) == 3" > /dev/null
#= exit 4
#= stderr
#| winnow report: tasks.winnow: --fail-if 'count(work_ns < 1us) / grains > 50% and advice > 0' holds: grains is 200, advice is 2, count(work_ns < 1us) is 199
#| winnow report: tasks.winnow: --fail-if 'median(inst_par_max where kind == task) == 3' holds: median(inst_par_max where kind == task) is 3
#: fail-if-not
# Conditions that do not hold change nothing
"$MAKE_TRACE" loop > loop.winnow
winnow report --json loop.winnow --fail-if "chunks>6" --fail-if "problems.parallel_benefit>100" > /dev/null
#: fail-if-null
# A number that was not measured cannot be decided, and does not pass for good
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "problems.memory_footprint>0" > /dev/null
#= exit 1
#= stderr
#| winnow report: loop.winnow: --fail-if 'problems.memory_footprint>0' cannot be decided: problems.memory_footprint was not measured
#: fail-if-syntax
# An expression that is none is a usage error, before the file is looked at
winnow report missing.winnow --fail-if "parallelism=4"
#= exit 2
#= stderr
#| winnow report: --fail-if 'parallelism=4': column 12: expected an operator, found '='; equality is ==; see winnow help report
#: fail-if-unknown
# A number that no report has is a usage error, and nothing is printed
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "paralelism<4"
#= exit 2
#= stderr
#| winnow report: --fail-if 'paralelism<4': column 1: unknown name 'paralelism'; did you mean 'parallelism'?
#: group-fail-if
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
#: damaged-fail-if
# A condition that holds wins over damage
"$MAKE_TRACE" damaged > damaged.winnow
winnow report damaged.winnow --fail-if "grains<4" > /dev/null
#= exit 4
#= stderr glob
#| *: --fail-if 'grains<4' holds: grains is 3
#| winnow report: damaged.winnow: byte [0-9]*: damaged*
