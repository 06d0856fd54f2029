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
	grep "no time" out || echo "nothing is said"
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
#| B was followed instruction by instruction (winnow-x86_64) to be counted: no time of it is the program's.
#| A was followed instruction by instruction (winnow-x86_64) to be counted: no time of it is the program's.
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
#| winnow diff: counts: it was run to be counted, by winnow-x86_64: no time in it is the program's; a series is of times
#| winnow report: counts: it was run to be counted, by winnow-x86_64: no time in it can be compared
#| winnow report: counts: it was run to be counted, by winnow-x86_64: no time in it can be compared
#| winnow view: counts: it was run to be counted, by winnow-x86_64: no time in it can be compared
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
#| winnow diff: 1ns.winnow: an imported table tells no time; a series is of recordings
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
#| winnow diff: --weight compares two recordings, and no more
