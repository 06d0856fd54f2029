# A problem that is none: those that there are
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --problem slowness
#= exit 2
#= stderr
#| winnow tree: tree.winnow: 'slowness' is none of parallel_benefit instantaneous_parallelism_median instantaneous_parallelism_min instantaneous_parallelism_max sibling_work_balance chunk_work_balance chunk_work_cpu_balance
