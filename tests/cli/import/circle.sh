# Tasks that are their own ancestors are left out
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,3,0,5,1,1\n3,2,0,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: task 2 is among its own ancestors; tasks left out for this: 2
