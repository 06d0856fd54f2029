# Options that say nothing
"$MAKE_RUN" tree > tree.winnow
for option in --depth=x --depth= --depth=-1 --color=red "--threshold=parallel_benefit>1"; do
	status=0
	winnow tree tree.winnow "$option" || status=$?
	echo "$status"
done
winnow tree tree.winnow --depth 1 --critical
#= exit 2
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow tree: --depth 'x': not a number of levels
#| winnow tree: --depth '': not a number of levels
#| winnow tree: --depth '-1': not a number of levels
#| winnow tree: --color 'red': not one of auto, always, never
#| winnow tree: --threshold 'parallel_benefit>1': not one of these with a number after it: parallel_benefit< instantaneous_parallelism_median< instantaneous_parallelism_min< instantaneous_parallelism_max< sibling_work_balance> chunk_work_balance> chunk_work_cpu_balance> memory_hierarchy_utilization<> memory_footprint> compute_intensity< work_deviation> sibling_scatter>
#| winnow tree: --depth and --critical: one of them says what to open
