#: columns
# COLUMNS is the width, kept within 80 and 120; colour only where it is asked for
"$MAKE_TRACE" tasks > a.winnow
"$MAKE_TRACE" regions > b.winnow
for columns in 20 80 95 120 500; do
	COLUMNS=$columns winnow diff a.winnow b.winnow | awk -v columns=$columns "
		length > most { most = length }
		END { print (columns < 80 ? most <= 80 : columns > 120 ? most <= 120 : most <= columns) }"
done | sort -u
winnow diff a.winnow b.winnow | grep -c "$(printf "\\033")" || true
winnow diff --color=always a.winnow b.winnow | grep -c "$(printf "\\033")" > always || true
test "$(cat always)" -gt 5
#= stdout
#| 1
#| 0
#: counted
# Times of runs that were followed to be counted are no program's, and are not compared as such
[ "$(uname -m)" = x86_64 ] || { echo "no engine for this machine"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
export OMP_NUM_THREADS=2 COLUMNS=120
winnow count -o counts ./fib 12 3 > /dev/null 2> /dev/null
for run in one two; do
	winnow record -o $run ./fib 12 3 > /dev/null 2> /dev/null
done
told() {
	winnow "$@" > out || echo "exit $?"
	grep "not the program's" out || echo "nothing is said"
}
told diff one counts
told diff counts one
told diff one two
told diff one two counts
told report one --against counts
told report counts --against one
told report one --against two
told view one --against counts -o page.html
test ! -e page.html
#= stdout
#| B was followed instruction by instruction (winnow-x86_64) to be counted: its times are not the program's.
#| A was followed instruction by instruction (winnow-x86_64) to be counted: its times are not the program's.
#| nothing is said
#| exit 1
#| nothing is said
#| exit 1
#| nothing is said
#| exit 1
#| nothing is said
#| nothing is said
#| exit 1
#| nothing is said
#= stderr
#| winnow diff: counts: it was counted by winnow-x86_64, so its times are not the program's; a series needs times
#| winnow report: counts: it was counted by winnow-x86_64, so its times cannot be compared
#| winnow report: counts: it was counted by winnow-x86_64, so its times cannot be compared
#| winnow view: counts: it was counted by winnow-x86_64, so its times cannot be compared
#: fail-if
# Conditions over the numbers of the comparison
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff a.winnow a.winnow --fail-if "work_ratio > 1" --fail-if "changed_groups > 0 or problems.work_deviation > 0" > /dev/null
status=0
winnow diff a.winnow b.winnow --fail-if "only_b > 100" > /dev/null || status=$?
echo $status
status=0
winnow diff a.winnow b.winnow --fail-if "no_such > 100" > /dev/null || status=$?
echo $status
status=0
winnow diff a.winnow b.winnow --fail-if "only_b >" > /dev/null || status=$?
echo $status
#= stdout
#| 4
#| 2
#| 2
#= stderr glob
#| winnow diff: --fail-if 'only_b > 100' holds: *
#| winnow diff: --fail-if 'no_such > 100': *no_such*
#| winnow diff: --fail-if 'only_b >': *
#: floorplan
# Groups of a search that prunes by time: those that its own log says made another number of tasks, and no others
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
# libomp runs tasks at once on one thread, and so makes others than on two; libgomp rarely does
for cc in "$CLANG" gcc; do
	command -v ${cc%% *} > /dev/null && $cc -std=gnu17 -O1 -g -fopenmp -o floorplan \
		"$PROGRAMS/../../../bench/programs/floorplan.c" 2> why && ./floorplan > /dev/null && break
	rm -f floorplan
done
test -e floorplan || { echo "no compiler with OpenMP"; exit 77; }
n_changes=0
for seed in 7 2 3 1; do
	for threads in 1 2; do
		OMP_NUM_THREADS=$threads winnow record -o $threads.winnow \
			./floorplan 12 7 --prune --seed=$seed --log=log > /dev/null 2> /dev/null
		sort log > $threads.log
	done
	# who is in both logs with another number of children
	join 1.log 2.log | awk '$2 != $3 {
		print "P0.s0." $1 "/F0", $2 == 0 ? "created" : $3 == 0 ? "vanished" : "changed", $2, $3
	}' | sort > expected
	winnow diff --json 1.winnow 2.winnow > diff.json
	jq -r '.groups | (.changed[] | [.id, "changed", .members[0], .members[1]]),
		(.created[] | [.id, "created", 0, .members[1]]),
		(.vanished[] | [.id, "vanished", .members[0], 0]) | join(" ")' diff.json | sort > found
	cmp expected found || diff expected found
	n=$(wc -l < expected)
	n_changes=$((n_changes + n))
	jq -r ".word, .structure.is_same, .differs.threads" diff.json |
		tr "\n" " " | grep -q "$([ "$n" -eq 0 ] && echo "work inflation true true" || echo "other input false true")"
	# and the other way round
	winnow diff --json 2.winnow 1.winnow | jq -r '.groups | .created[], .vanished[], .changed[] | .id' | sort > back
	cut -d " " -f 1 expected | sort | cmp - back
	[ "$n_changes" -lt 60 ] || break
done
[ "$n_changes" -gt 0 ] || { echo "nothing was pruned otherwise"; exit 77; }
#: group
# --group looks at a part alone, by the name of a group or a grain
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > a.winnow
winnow diff --json --group P0.L0 a.winnow a.winnow | jq -c '[.part, .grains.matched, .sites[].grains]'
winnow diff --json --group 'P0.L0[4:6)' a.winnow a.winnow | jq -c '[.part, .grains.matched, .sites[].grains]'
winnow diff --json a.winnow a.winnow | jq -c '[.part, .grains.matched, .sites[].grains]'
winnow diff --group P77.L3 a.winnow a.winnow
#= exit 2
#= stdout
#| ["P0.L0",6,[6,6]]
#| ["P0.L0[4:6)",1,[1,1]]
#| [null,6,[6,6],[2,2]]
#= stderr
#| winnow diff: no group or grain of either run is called 'P77.L3'
#: imported
# Imported tables are compared in their own unit, by the names of their tool, and not with recordings
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for factor in 1 3; do
	awk -v f=$factor 'BEGIN {
		print "task,parent,joins_at,cpu_id,child_number,num_children,exec_cycles,creation_cycles,overhead_cycles,queue_size,create_instant,exec_end_instant,tag,metadata,outline_function,wait_instants"
		n = split("1,0,0,1,3,1000 2,1,0,1,0,300 3,1,0,2,2,500 4,3,0,1,0,200 5,3,0,2,0,250 6,1,1,3,0,100", row, " ")
		for (i = 1; i <= n; i++) {
			split(row[i], c, ",")
			print c[1] "," c[2] "," c[3] "," c[1] % 2 "," c[4] "," c[5] "," c[6] * (i > 3 ? f : 1) ",10,0,0," i * 10 "," i * 1000 ",0x1,NA,4096,[0]"
		}
	}' > $factor.csv
	winnow import $factor.csv -o $factor.winnow 2> /dev/null
done
winnow diff --json 1.winnow 3.winnow | jq -c "$NUMBERS"' | [.unit, .word, .grains.matched, .problems[0].count, .totals.work_ratio, .totals.time_ratio], [.groups.by_difference[] | [.id, .work_deviation]]'
winnow diff --json --group R-1-2/F0 1.winnow 3.winnow | jq -c "$NUMBERS"' | [.part, .grains.matched, .sites[0].work_ratio]'
winnow diff --json --group R-1-2 1.winnow 3.winnow | jq -c '[.part, .grains.matched]'
winnow diff 1.winnow 3.winnow | grep -c "times in cycles"
winnow similar 1.winnow R-1-2/L | head -n 1
"$MAKE_TRACE" loop > loop.winnow
winnow diff 1.winnow loop.winnow || echo $?
winnow diff 1.winnow 3.winnow 1.winnow || echo $?
winnow import --hz 1000000000 1.csv -o 1ns.winnow 2> /dev/null
winnow diff 1ns.winnow 1ns.winnow 1ns.winnow || echo $?
#= stdout
#| ["cycles","repeat",6,3,1.46809,null]
#| [["R-1-2/F0",3],["R-1/F1",3]]
#| ["R-1-2/F0",2,3]
#| ["R-1-2",3]
#| 1
#| R-1-2/L: 3 grains, work 950 cycles, its own critical path 750 cycles over 2 grains.
#| 2
#| 2
#| 1
#= stderr
#| winnow diff: one run counts in cycles, the other in ns; winnow import --hz converts
#| winnow diff: 1.winnow: its times are cycles, and a series needs ns; winnow import --hz converts
#| winnow diff: 1ns.winnow: an imported table has no times of threads; a series needs recordings
#: weight
# --weight compares paths by something else, too; both must have it
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > a.winnow
"$MAKE_TRACE" loop > b.winnow
winnow diff a.winnow a.winnow --weight time --raw | grep ", time"
winnow diff a.winnow b.winnow --weight time --json | jq -c '.totals | [.weight, .work_weight_ratio, .span_weight_ratio]'
winnow diff a.winnow b.winnow --json | jq -c '.totals | [.weight, .work_weight_ratio, .span_weight_ratio]'
winnow diff a.winnow b.winnow --weight instructions || echo $?
winnow diff a.winnow b.winnow a.winnow --weight time || echo $?
#= stdout
#|   work, time                    550800  550800   1.00
#|   span, time                    410000  410000   1.00
#|   work / span, time               1.34    1.34   1.00
#| ["time",6.99383,2.56]
#| [null,null,null]
#| 2
#| 2
#= stderr
#| winnow diff: --weight 'instructions': the recording has no such weight; it has work, time
#| winnow diff: --weight: only for two recordings

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
#|   How much of a difference is due to the machine (clock rates, neighbours): one run of each shows
#|   only the variation between grains of a place.
#|   Whether the code is the same: the files of code have no build ids known in both runs.
#|   Work deviations of grains that one run has alone. Loops that are divided for another number of
#|   threads have other chunks, and the tasks of chunks then have other names.
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
#| winnow diff: the name of the output does not give the format; add --format graphml or csv
#| winnow diff: 209 nodes are too many for a drawing; raise --max-nodes, or use --group or --format csv
#: series
# Three runs are a series: the baseline is the one with the fewest threads, whatever the order
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" regions > three.winnow
"$MAKE_TRACE" loop > two.winnow
"$MAKE_TRACE" tasks > other.winnow
winnow diff --json three.winnow other.winnow two.winnow > series.json
jq -c '[.schema, .same_command, .time], [.runs[].file], [.runs[].threads], [.points[] | [.threads, .runs, .median_run]]' \
	series.json
# times are those of single reports, and ratios follow from them
for run in other three; do
	winnow report --json $run.winnow
done | jq -s -c '.[0] as $base | map([
	.totals.work_ns, $base.totals.elapsed_ns / .totals.elapsed_ns,
	$base.totals.elapsed_ns / .totals.elapsed_ns * $base.program.threads / .program.threads])' > expected
jq -c '[(.points[] | .median_run) as $m | .runs[] | select(.file == $m) | .work_ns] as $work |
	[range(.points | length) as $i | [$work[$i], .points[$i].speedup, .points[$i].efficiency]]' series.json > found
jq -n --slurpfile a expected --slurpfile b found \
	'[($a[0] | flatten), ($b[0] | flatten)] | transpose | all((.[0] - .[1]) | fabs < 1e-4)'
# the categories add up to the threads' time, and the differences to what is lost
jq -c '.points[] | [([.categories[].time_ns] | add) == .thread_ns, ([.categories[].change_ns] | add) == .lost_ns]' series.json
#= stdout
#| ["winnow.scaling/1",false,"elapsed_ns"]
#| ["other.winnow","two.winnow","three.winnow"]
#| [2,2,3]
#| [[2,2,"other.winnow"],[3,1,"three.winnow"]]
#| true
#| [true,true]
#| [true,true]
#: series-text
# A series as text fits its sheet
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" regions > b.winnow
for columns in 80 100 120; do
	COLUMNS=$columns winnow diff a.winnow b.winnow a.winnow b.winnow | awk -v columns=$columns "
		length > columns { print } /speed-up.*efficiency/ { n++ } END { print n }"
done
winnow diff --group P0 a.winnow a.winnow a.winnow
#= exit 2
#= stdout
#| 1
#| 1
#| 1
#= stderr
#| winnow diff: --group: only for two recordings
#: threads-only
# --threads-only refuses what differs in more
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff --threads-only a.winnow a.winnow > /dev/null
winnow diff --threads-only a.winnow b.winnow
#= exit 1
#= stderr glob
#| winnow diff: a.winnow and b.winnow: * differs; --threads-only accepts only another number of threads

#: damaged
# A damaged recording is compared as far as it goes
"$MAKE_TRACE" damaged > damaged.winnow
"$MAKE_TRACE" loop > loop.winnow
winnow diff loop.winnow damaged.winnow > /dev/null
#= exit 3
#= stderr glob
#| winnow diff: damaged.winnow: *damaged*the result is of the rest
#: cut
# A file cut anywhere is compared as far as it goes, or refused, never a crash
"$MAKE_TRACE" loop > loop.winnow
for bytes in $(seq 1 30001 400000); do
	head -c "$bytes" loop.winnow > cut.winnow
	for order in "loop.winnow cut.winnow" "cut.winnow loop.winnow"; do
		status=0
		winnow diff $order > /dev/null 2> stderr || status=$?
		test "$(wc -l < stderr)" -le 1
		case $status in 0 | 1 | 3) ;; *) echo "$bytes: $status" ;; esac
	done
done
#: hostile
# Nothing of a hostile trace steers the terminal, and its JSON is valid
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" hostile > hostile.winnow
"$MAKE_TRACE" loop > loop.winnow
LC_ALL=C.UTF-8 winnow diff hostile.winnow loop.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow diff --json loop.winnow hostile.winnow | jq -r .schema
#= stdout
#| 0
#| winnow.diff/1
#: not-a-trace
# What is no recording is refused, whichever it is
"$MAKE_TRACE" loop > loop.winnow
echo no trace > text
: > empty
for other in text empty missing .; do
	winnow diff loop.winnow $other && echo "$other"
	winnow diff $other loop.winnow && echo "$other"
done
true
#= stderr glob
#| winnow diff: text: *
#| winnow diff: text: *
#| winnow diff: empty: *
#| winnow diff: empty: *
#| winnow diff: missing: *
#| winnow diff: missing: *
#| winnow diff: .: *
#| winnow diff: .: *
#: one-operand
# Two recordings are needed
winnow diff a.winnow
#= exit 2
#= stderr glob
#| winnow diff: *
