# A table of nothing but such tasks is refused
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n2,3,0,5,1,1\n3,2,0,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
