# an instruction-level profile of the same run brings its columns, and the problems that they show
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,cpu_id\n1,0,0,10,0,0\n2,1,0,50,0,0\n3,1,0,60,0,1\n' > in.csv
printf 'task,ins_count,stack_read,stack_write,mem_fp,ccr,clr,mem_read,mem_write,outl_func\n2,600,1,2,400,3,4,5,6,f\n3,600000,1,2,600000,3,4,5,6,f\n' > ins.csv
winnow import in.csv --instructions ins.csv
winnow report in.winnow --json | jq -c '.problems[] | select(.type == "memory_footprint" or .type == "compute_intensity") | [.type, .condition, .count]'
#= stdout
#| ["memory_footprint","> 512000",1]
#| ["compute_intensity","< 2",2]
#= stderr
#| winnow import: ins.csv: says nothing of 1 of 3 tasks; their instructions are not known
#| winnow import: in.winnow: 3 grains, times in cycles
