#: group
# --group leaves out all that is not inside
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format csv --group P0.s0.1/F0 | cut -d, -f1-4
winnow export tree.winnow --format dot --group P0.s0.1/F0 | grep "tooltip=\| -> "
winnow export tree.winnow --format graphml --group P0.s0.1/L | grep -c "<node\|<edge\|\"g4\">P0.s0.1/L<"
winnow export tree.winnow --format svg --group P0.s0.1/L | grep "only \|<svg"
winnow export tree.winnow --format graphml --nested --group P0.s0.1/L | grep "<node\|<edge\|\"g7\""
winnow export tree.winnow --format svg --folded --group P0.t0/F0 | grep "only "
winnow export tree.winnow --format dot --form fragments --group P0.s0.1/F0 | grep -c "\[shape"
#= stdout
#| # one line per grain; _ns: nanoseconds, begin and end since the start of the recording; create_instant and wait_instants: the parent's and the grain's own execution time; balances, benefit and parallelism: ratios; empty: not measured; only P0.s0.1/F0
#| id,lineage,kind,parent
#| 4,P0.s0.1.1,task,2
#| 5,P0.s0.1.2,task,2
#| 	graph [rankdir=TB, ordering=out, nodesep=0.12, ranksep=0.22, fontname="Helvetica", fontsize=11, bgcolor=white, tooltip="./fake 10: only P0.s0.1/F0"]
#| 	"4" [shape=box, width=0.417, height=4.167, fillcolor="#00FF4D", fontcolor="#000000", label="4", tooltip="P0.s0.1.1\ntask at 0x3000\nwork 6.0 µs, creation 200 ns", color="#FF0000", penwidth=1.6]
#| 	"5" [shape=box, width=0.417, height=0.417, fillcolor="#4D00FF", fontcolor="#FFFFFF", label="5", tooltip="P0.s0.1.2\ntask at 0x3010\nwork 2.0 µs, creation 200 ns"]
#| 	"f.2.0" -> "4" [color="#FF0000", penwidth=1.6, weight=4]
#| 	"4" -> "j.2.0" [color="#FF0000", penwidth=1.6, weight=4]
#| 	"f.2.0" -> "5" [color="#2E8B57"]
#| 	"5" -> "j.2.0" [color="#FF7F50"]
#| 11
#| <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 618" width="620" height="618">
#| <text x="24" y="64" font-size="15" text-anchor="start">only P0.s0.1/L: 3 grains, work 8.9 µs</text>
#|   <key for="graph" id="g7" attr.name="group" attr.type="string"/>
#|       <data key="g7">P0.s0.1/L</data>
#|     <node id="n1" yfiles.foldertype="folder">
#|     <node id="n1::n0">
#|     <node id="n1::n1" yfiles.foldertype="folder">
#|     <node id="n1::n1::n0">
#|     <node id="n1::n1::n1">
#|     <node id="n1::n1::n2">
#|     <node id="n1::n1::n3">
#|     <edge id="e0" source="n1::n0" target="n1::n1::n0">
#|     <edge id="e1" source="n1::n1::n0" target="n1::n1::n2">
#|     <edge id="e2" source="n1::n1::n2" target="n1::n1::n1">
#|     <edge id="e3" source="n1::n1::n0" target="n1::n1::n3">
#|     <edge id="e4" source="n1::n1::n3" target="n1::n1::n1">
#| <text x="24" y="64" font-size="15" text-anchor="start">only P0.t0/F0: 5 grains, work 10.6 µs, 2 with problems; 11 nodes in view</text>
#| 3
#: group-unknown
# A group that is none: the nearest above it is named
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format dot --group P0.s0.1/F3
#= exit 2
#= stderr
#| winnow export: tree.winnow: 'P0.s0.1/F3': it has 1 fork-join, counted from 0; the nearest above is P0.s0.1; nothing exported
#: weight
# --weight says by what the critical path is; what there is not is told
"$MAKE_RUN" loop > loop.winnow
winnow export loop.winnow --format csv > plain.csv
winnow export loop.winnow --format csv --weight work | cmp - plain.csv
winnow export loop.winnow --format csv --weight time | awk -F, '
	NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	NR > 2 { print $at["lineage"], $at["on_crit_path"] }'
for format in graphml svg csv; do
	winnow export loop.winnow --format $format --weight nothing || echo $?
done
#= stdout
#| P0.t0 1
#| P0.L0[0:2) 0
#| P0.L0[4:6) 0
#| P0.L0[8:10) 1
#| P0.S0[0] 1
#| P0.t1 0
#| P0.L0[2:4) 0
#| P0.L0[6:8) 0
#| P0.L0[10:12) 0
#| P0.S0[1] 0
#| 2
#| 2
#| 2
#= stderr
#| winnow export: loop.winnow: --weight 'nothing': the recording has no such weight; it has work, time; nothing exported
#| winnow export: loop.winnow: --weight 'nothing': the recording has no such weight; it has work, time; nothing exported
#| winnow export: loop.winnow: --weight 'nothing': the recording has no such weight; it has work, time; nothing exported
#: form-of-csv
# A table of grains has no fragments
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format csv --form fragments
#= exit 2
#= stderr
#| winnow export: csv: has no form fragments; use graphml or dot
#: deep-names
# Names of tasks that are nested deeply do not make tables grow with the square of the depth
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
cat > nest.c <<'END'
#include <stdlib.h>
static volatile int x;
static void go(int n) {
	x++;
	if (n) {
#pragma omp task
		go(n - 1);
	}
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
	go(3000);
	return 0;
}
END
gcc -O1 -fopenmp nest.c -o nest
winnow record ./nest 2> /dev/null
winnow export nest.winnow -f csv -o nest.csv
[ "$(wc -c < nest.csv)" -lt 1500000 ] || echo "the table is large"
cut -d, -f2 nest.csv | sort | uniq -d
winnow diff nest.winnow nest.winnow -f csv -o both.csv
[ "$(wc -c < both.csv)" -lt 1500000 ] || echo "the table of both is large"
winnow export nest.winnow -f graphml --nested -o nest.graphml
[ "$(wc -c < nest.graphml)" -lt 15000000 ] || echo "the drawing is large"
winnow export nest.winnow -f csv --full-names -o whole.csv
[ "$(wc -c < whole.csv)" -gt 9000000 ] || echo "names are not whole"

# a shortened name is taken where names are, and means what the whole one does
line=$(cut -d, -f2 nest.csv | grep -nF '..#2000-' | cut -d: -f1)
name=$(cut -d, -f2 nest.csv | sed -n "${line}p")
whole=$(cut -d, -f2 whole.csv | sed -n "${line}p")
winnow report --json --group "$name" nest.winnow > short.json
winnow report --json --group "$whole" nest.winnow > whole.json
cmp short.json whole.json
for group in "" /J; do
	winnow diff --json --group "$name$group" nest.winnow nest.winnow | jq 'del(.part, .headline)' > short.json
	winnow diff --json --group "$whole$group" nest.winnow nest.winnow | jq 'del(.part, .headline)' > whole.json
	cmp short.json whole.json
	jq -e '.grains.matched < 3000' short.json > said || echo "more than what is inside $name$group"
done
winnow report --group "${name}x" nest.winnow 2> wrong && echo "a wrong name is taken"
grep -q "no grain is called '$name" wrong || cat wrong
#= stderr glob
#| winnow export: nest.winnow: names of more than 64 steps are shortened; with --full-names they take 9.? MB where each is written once
#| winnow diff: A: names of more than 64 steps are shortened; *
#| winnow diff: B: names of more than 64 steps are shortened; *
#| winnow export: nest.winnow: names of more than 64 steps are shortened; *
#| winnow export: nest.winnow: names of grains take 9.? MB where each is written once

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
#| winnow export: --nested: only for graphml
#| winnow export: --nested: only for the reduced form
#| winnow export: --view: only with --nested, --map or --structure
#| winnow export: --flat-red: only with --view
#| winnow export: --view all: writes several files; name the first one with -o
#| winnow export: --view 'slowness': no such problem; winnow report --json lists them
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
