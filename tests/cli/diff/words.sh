#: words
# --color, --deviation: words that are none are refused before a file is looked at
for option in --color=pink --deviation=much --deviation=-1 --deviation=; do
	winnow diff $option no no || echo $?
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#= stderr glob
#| winnow diff: option '--color'*
#| winnow diff: --deviation*
#| winnow diff: --deviation*
#| winnow diff: --deviation*
#: text
# Two runs as text
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff a.winnow b.winnow
#= stdout
#| A  ./fake --size 10: 2 threads, 6 grains, libomp
#| B  ./fake 10: 2 threads, 200 grains, libomp
#| Other input: the command lines differ. Compare the structure before the times. A is the reference:
#| ratios are B / A.
#| Grains work 391 us in all after 3.85 ms, 0.10 times as long; but they are not the same grains.
#|
#| The runs
#|                                       A       B  B / A
#|   time of the process           4.00 ms  600 us   0.15
#|   time OpenMP was in use        3.15 ms  416 us   0.13
#|   work                          3.85 ms  391 us   0.10
#|   span                          1.05 ms  250 us   0.24
#|   work / span                      3.67    1.56   0.43
#|   cores used                       1.22    1.43   1.17
#|   idle, of all thread time       35.7 %  27.9 %   0.78
#|   overhead, of all thread time    3.2 %  25.1 %   7.91
#|   B is 6.67 times as fast as A.
#|
#| Structure
#|   0 grains in both, 6 only in A, 200 only in B.
#|   what      group     kind    members A  members B  grains A  grains B
#|   vanished  P0.L0     loop            6                    6
#|   created   P0.t0/F0  thread                   200                 200
#|
#| Places in the source, largest difference of work first
#|   place   grains A  grains B   work A   work B  B / A  median  note
#|   0x2000         6         0  3.75 ms     0 ns   0.00       -  only in A
#|   0x1000         2         2  98.2 us   251 us   2.56    2.56  may be chance
#|   0x5000         0         1     0 ns   100 us      -       -  only in B
#|   0x3000         0       199     0 ns  39.8 us      -       -  only in B
#|
#| Groups by their members' own work, largest difference first
#|   group  members A  members B   work A  work B  B / A  note
#|   P0             2          1  98.2 us  251 us   2.56  may be chance
#|
#| Work deviation of single grains
#|   0 of 0 grains that can be compared work more than 2 times as long in B (work_deviation > 2), 0 of
#|   them on B's critical path.
#|
#| Limitations of this comparison
#|   How much of a difference is the machine's (clock rates, neighbours): one run of each shows only
#|   the chance between grains of a place.
#|   Whether the code is the same: the files of code have no build ids that both runs tell.
#|   Work deviations of grains that one run has alone. Loops that are cut for another number of threads
#|   have other chunks, and what chunks make has other names then.
#: same
# A run and itself: nothing differs, all ratios are 1
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for run in loop tasks regions lone producer mutex serial killed; do
	"$MAKE_TRACE" $run > a.winnow
	cp a.winnow b.winnow
	winnow diff --json a.winnow b.winnow > diff.json 2> /dev/null
	jq -e '.word == "repeat" and .structure.is_same and
		(.grains | .only_a == 0 and .only_b == 0 and .moved == 0) and
		(.groups | .changed + .created + .vanished + .moved + .by_difference == []) and
		(.totals | [.speedup, .efficiency, .work_ratio, .span_ratio, .time_ratio] | all(. == 1 or . == null)) and
		([.sites[] | .work_ratio, .median_deviation] | all(. == 1 or . == null)) and
		([.sites[] | .work_difference_ns] | all(. == 0 or . == null)) and
		all(.problems[]; .count == 0 or .count == null)' diff.json > /dev/null || { echo $run; cat diff.json; }
done
#: swap
# The other way round, what was created has vanished, and ratios are inverse
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff --json a.winnow b.winnow > ab.json
winnow diff --json b.winnow a.winnow > ba.json
jq -n --slurpfile ab ab.json --slurpfile ba ba.json '
	$ab[0] as $x | $ba[0] as $y |
	($x.grains.only_a == $y.grains.only_b) and ($x.grains.only_b == $y.grains.only_a) and
	([$x.groups.created[].id] == [$y.groups.vanished[].id]) and
	([$x.groups.vanished[].id] == [$y.groups.created[].id]) and
	(($x.totals.work_ratio * $y.totals.work_ratio - 1) | fabs < 1e-4) and
	(($x.totals.speedup * $y.totals.speedup - 1) | fabs < 1e-4)'
#= stdout
#| true
#: rebuilt
# A program that was changed and built anew in its place keeps its places, also those without names
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
program() {
	cat > program.c <<-EOF
	#include <stdio.h>
	$1
	static double work(long n) { double x = 0; for (volatile long i = 0; i < n; i++) x += 1.0 / (double)(i + 1); return x; }
	int main(void)
	{
		double a = 0, b = 0;
	#pragma omp parallel num_threads(2)
	#pragma omp single
		for (int i = 0; i < 40; i++) {
	#pragma omp task shared(a)
			a = work(20000);
	#pragma omp task shared(b)
			b = work($2);
		}
		return a + b < 0;
	}
	EOF
	gcc -g -O1 -fopenmp program.c -o "$3" 2> /dev/null || { echo "no OpenMP"; exit 77; }
}
program "" 20000 first
winnow record -o first.winnow ./first 2> /dev/null
program "" 20000 program
winnow record -o a.winnow ./program 2> /dev/null
program "int more;
int lines;" 2000000 program
winnow record -o b.winnow ./program 2> /dev/null
winnow diff --json a.winnow b.winnow > diff.json
# the old file is gone: places are paired by their grains; the second task is a hundred times as long, which stays clear
# where others interrupt it, and the first is not
jq -r '.word, .differs.code, ([.sites[] | select(.kind == "task")] | length)' diff.json
jq -r '[.sites[] | select(.kind == "task") | [.a.line, .b.line, .paired_by, .grains[0], .grains[1], (.median_deviation > 3)]] | sort_by(.[1]) | .[] | @json' diff.json
jq -r '.problems[0].count >= 36, .structure.is_same' diff.json
# where it is still there, by name; then the file's name differs, and the code
winnow diff --json first.winnow b.winnow | jq -r '[.sites[] | select(.kind == "task") | [.a.line, .b.line, .paired_by]] | sort_by(.[1]) | .[] | @json'
#= stdout
#| regression
#| true
#| 2
#| [null,11,"grains",40,40,false]
#| [null,13,"grains",40,40,true]
#| true
#| true
#| [10,11,"moved"]
#| [12,13,"moved"]
#: moved
# What another task makes now, in the same shape and at the same place, has moved: leaves and whole parts
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cat > program.c <<'EOF'
#include <stdlib.h>
static volatile double sink;
static void work(void) { for (int i = 0; i < 2000; i++) sink += i; }
static void leaves(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp task
		work();
	}
#pragma omp taskwait
}
static void part(void)
{
#pragma omp task
	leaves(4);
#pragma omp taskwait
}
int main(int argc, char **argv)
{
	int who = atoi(argv[argc - 1]);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 4; i++) {
#pragma omp task
		{
			if (i == who)
				leaves(3);
			else if (i == who + 2)
				part();
			work();
		}
	}
	return 0;
}
EOF
gcc -g -O1 -fopenmp program.c -o program 2> /dev/null || { echo "no OpenMP"; exit 77; }
for who in 0 1; do
	winnow record -o $who.winnow ./program $who 2> /dev/null
done
winnow diff --json 0.winnow 1.winnow > diff.json
jq -c '[.structure.is_same, .structure.moved_parts, .grains.only_a, .grains.only_b, .grains.moved], (.groups.moved | sort_by(.a)[] | [.a, .b, .grains])' diff.json
winnow diff --json 1.winnow 0.winnow | jq -c '.groups.moved | sort_by(.a)[] | [.a, .b, .grains]'
winnow diff 0.winnow 1.winnow | grep -c "of which 8 are elsewhere in one of 2 parts with"
#= stdout
#| [false,2,8,8,8]
#| ["P0.s0.1/F0","P0.s0.2/F0",3]
#| ["P0.s0.3/F0","P0.s0.4/F0",5]
#| ["P0.s0.2/F0","P0.s0.1/F0",3]
#| ["P0.s0.4/F0","P0.s0.3/F0",5]
#| 1
#: union
# Both runs as one: a table of grains and a drawing of groups, with what --json counts
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
"$MAKE_TRACE" regions > c.winnow
for pair in "a b" "b a" "a c" "c b" "b b"; do
	one=${pair% *}.winnow other=${pair#* }.winnow
	winnow diff --format csv "$one" "$other" > union.csv
	winnow diff "$one" "$other" -o union.graphml
	winnow diff --json "$one" "$other" > diff.json
	# grains only: implicit tasks are in the table, and in no count
	awk -F, 'NR > 1 && $3 != "implicit" { n[$2]++ } END { print n["same"] + 0, n["vanished"] + 0, n["created"] + 0 }' union.csv > table
	jq -r '.grains | "\(.matched) \(.only_a) \(.only_b)"' diff.json | cmp - table
	awk '/<node / { open++; folder = /folder/ } /<data key="d3">/ { split($0, part, /[<>]/); n[part[3], folder]++ }
		END { print n["same", 0] + 0, n["vanished", 0] + 0, n["created", 0] + 0 }' union.graphml | cmp - table
	if command -v xmllint > /dev/null; then
		xmllint --noout --relaxng "$PROGRAMS/../../export/union.rng" union.graphml 2>&1 | grep -v ' validates$' || true
	fi
	# every edge leads from a node to a node
	sed -n 's/.*<node id="\([^"]*\)".*/\1/p' union.graphml | sort > nodes
	sed -n 's/.*<edge .*source="\([^"]*\)" target="\([^"]*\)".*/\1\n\2/p' union.graphml | sort -u | comm -23 - nodes
	sort -u nodes | cmp - nodes
done
# work deviation is B by A
awk -F, 'NR > 1 && $12 != "" && ($11 / $10 - $12 > 1e-4 || $12 - $11 / $10 > 1e-4)' union.csv
winnow diff --format csv a.winnow a.winnow | head -n 3
winnow diff --format csv --group P0.L0 a.winnow a.winnow | wc -l
winnow diff a.winnow b.winnow --format csv -o b.winnow || echo $?
winnow diff a.winnow b.winnow -o none.pdf || echo $?
winnow diff a.winnow b.winnow --format graphml --max-nodes 5 || echo $?
test ! -e none.pdf
#= stdout
#| lineage,status,kind,function,file,line,group,id_a,id_b,work_a_ns,work_b_ns,work_deviation
#| P0.t0,same,implicit,,,,P0,1,1,49100,49100,1
#| P0.L0[0:2),same,chunk,,,,P0.L0,2,2,1000000,1000000,1
#| 7
#| 2
#| 2
#| 1
#= stderr
#| winnow diff: b.winnow: is a recording; nothing exported
#| winnow diff: the name of the output tells no format; --format graphml or csv is needed
#| winnow diff: 209 nodes are too many for a drawing; raise --max-nodes, or use --group or --format csv
