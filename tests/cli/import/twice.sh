# Two rows of one task are two runs
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n1,0,0,5,1,2\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:3: task 1 is there already, on line 2; a file must hold one run, and each task once; nothing imported
