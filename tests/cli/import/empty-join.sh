# Joins that nothing is joined at are passed over
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,3,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: task 2 is joined at 3, and nothing at the join before; joins without children are passed over: 1
