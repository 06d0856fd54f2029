# So is one that is cut inside quotes
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,0,"7,8' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: the file ends inside quotes; this row is left out
