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
winnow diff --json 1.winnow 3.winnow | jq -c '[.unit, .word, .grains.matched, .problems[0].count, .totals.work_ratio, .totals.time_ratio], [.groups.by_difference[] | [.id, .work_deviation]]'
winnow diff --json --group R-1-2/F0 1.winnow 3.winnow | jq -c '[.part, .grains.matched, .sites[0].work_ratio]'
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
#| winnow diff: 1.winnow: its times are cycles, and a table of runs needs ns; winnow import --hz converts
#| winnow diff: 1ns.winnow: an imported table tells no time; a series is of recordings
