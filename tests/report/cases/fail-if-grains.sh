# A condition may be over all grains, and over what a report alone does not keep
"$MAKE_TRACE" tasks > tasks.winnow
winnow report tasks.winnow --fail-if "count(work_ns < 1us) / grains > 50% and advice > 0" --fail-if "max(end_ns) < 1us" --fail-if "median(inst_par_max where kind == task) == 3" > /dev/null
#= exit 4
#= stderr
#| winnow report: tasks.winnow: --fail-if 'count(work_ns < 1us) / grains > 50% and advice > 0' holds: grains is 200, advice is 2, count(work_ns < 1us) is 199
#| winnow report: tasks.winnow: --fail-if 'median(inst_par_max where kind == task) == 3' holds: median(inst_par_max where kind == task) is 3
