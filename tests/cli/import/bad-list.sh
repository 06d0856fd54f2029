# A list that is none is not measured
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number,wait_instants\n1,0,0,5,1,1,[0;3\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:2: wait_instants is '[0;3', not a list like [0;30;10]; taken as not measured
