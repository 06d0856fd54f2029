# Rows without what makes the graph are left out; the background context is no loss
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,0,NA,NA,1\n0,NA,NA,NA,NA,NA\n3,1,NA,5,1,2\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:5: task, parent or joins_at is no number from 0; rows like this are left out: 1
