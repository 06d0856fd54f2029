# Tasks without a parent are left out
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,77,0,5,1,2\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: task 2 has parent 77, which is not in the file; tasks left out for this: 1
