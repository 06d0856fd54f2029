# Options of folded drawings that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format csv --folded" "--format graphml --folded" "--format dot --form fragments --folded" \
	"--format dot --critical" "--format dot --folded --depth x" "--format svg --folded --problem slowness" \
	"--format profile --group P0.t0/L"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
for form in dot svg; do
	status=0
	winnow export tree.winnow --format "$form" --folded -o /dev/full || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 1
#| 1
#= stderr
#| winnow export: --folded: only dot, svg and taskgraph; graphml has --nested
#| winnow export: --folded: only dot, svg and taskgraph; graphml has --nested
#| winnow export: --folded: groups are of the reduced form only
#| winnow export: --depth, --problem, --critical: only with --folded of dot or svg
#| winnow export: --depth 'x': not a number of levels
#| winnow export: tree.winnow: 'slowness' is none of parallel_benefit instantaneous_parallelism_median instantaneous_parallelism_min instantaneous_parallelism_max sibling_work_balance chunk_work_balance chunk_work_cpu_balance; nothing exported
#| winnow export: --group: this format is of the whole run only
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: /dev/full: No space left on device; the export is incomplete
