# A table of nothing but such tasks is refused
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n2,3,0,5,1,1\n3,2,0,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:2: task 2 is among its own ancestors; tasks left out for this: 2
#| winnow import: in.csv: no task is left: none has parent 0, the start of the program; nothing imported
