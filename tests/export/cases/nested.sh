#: nested-damaged
# Of a damaged recording the rest is nested
"$MAKE_RUN" damaged > damaged.winnow
status=0
winnow export damaged.winnow -o damaged.graphml --nested || status=$?
grep -c folder damaged.graphml
exit "$status"
#= exit 3
#= stdout
#| 5
#= stderr
#| winnow export: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the export is of the rest
#: nested-full
# A full disk, a missing folder and a file limit are told of nested documents, too
"$MAKE_RUN" tree > tree.winnow
for out in /dev/full no/where.graphml; do
	status=0
	winnow export tree.winnow -o "$out" --format graphml --nested || status=$?
	echo "$status"
done
trap "" XFSZ
status=0
(
	ulimit -f 8
	winnow export tree.winnow -o tree.graphml --nested --view all
) || status=$?
echo "$status"
ls
#= stdout
#| 1
#| 1
#| 1
#| tree.winnow
#= stderr
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: no/where.graphml: No such file or directory; nothing exported
#| winnow export: tree.graphml: File too large; nothing exported
#: nested-options
# Options of nested documents that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format dot --nested" "--format graphml --form fragments --nested" "--format graphml --view all" \
	"--format graphml --nested --flat-red" "--format graphml --nested --view all" "--format graphml --nested --view slowness"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow export: --nested: only graphml has groups to open
#| winnow export: --nested: groups are of the reduced form only
#| winnow export: --view: only with --nested, --map or --structure
#| winnow export: --flat-red: only with --view
#| winnow export: --view all: several files; give the first one's name by -o
#| winnow export: --view 'slowness': no problem is called so; winnow report --json lists them
#: nested-views
# One document for the structure and one for each problem that was measured
"$MAKE_RUN" loop > loop.winnow
winnow export loop.winnow -o loop.graphml --nested --view all
ls
mkdir one
winnow export loop.winnow -o one/some.xml --format graphml --nested --view chunk_work_balance --flat-red
ls one
grep -c "Fill color=\"#FF0000\"" one/some.xml-chunk_work_balance-problem.graphml
grep -o "Fill color=\"#FF..00\"" loop-chunk_work_balance-problem.graphml | sort | uniq -c
#= stdout
#| loop-chunk_work_balance-problem.graphml
#| loop-chunk_work_cpu_balance-problem.graphml
#| loop-instantaneous_parallelism_max-problem.graphml
#| loop-instantaneous_parallelism_median-problem.graphml
#| loop-instantaneous_parallelism_min-problem.graphml
#| loop-parallel_benefit-problem.graphml
#| loop.graphml
#| loop.winnow
#| some.xml-chunk_work_balance-problem.graphml
#| 6
#|       6 Fill color="#FF8000"
#= stderr
#| winnow export: loop.winnow: sibling_work_balance was not measured; no view of it
