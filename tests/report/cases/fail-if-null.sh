# A number that was not measured cannot be decided, and does not pass for good
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "problems.memory_footprint>0" > /dev/null
#= exit 1
#= stderr
#| winnow report: loop.winnow: --fail-if 'problems.memory_footprint>0' cannot be decided: problems.memory_footprint was not measured
