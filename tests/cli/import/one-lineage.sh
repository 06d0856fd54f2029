# Two children of one number cannot be told apart
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,0,5,1,1\n3,1,0,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:4: task 1 has two children of number 1; their lineages are one, so that nothing tells them apart; nothing imported
