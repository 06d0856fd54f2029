# with a rate, times are nanoseconds, and only the note of that speaks of cycles
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,create_instant\n1,0,0,4000,0,0\n2,1,0,2000,400,2001\n' > in.csv
winnow import --quiet --hz 2000000000 in.csv
winnow report in.winnow --json | jq -c '.unit, .totals.work_ns, .totals.span_ns, .imported.span_fragments_ns'
winnow report in.winnow | grep -c cycles
#= stdout
#| "ns"
#| 2800
#| 2800
#| 3000
#| 1
