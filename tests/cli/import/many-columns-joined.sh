# so is one that has them with the columns that are joined
printf 'task,parent,joins_at,exec_cycles,%s\n1,0,0,10,%s\n' "$(seq -s, -f 'c%.0f' 2500)" "$(seq -s, 2500)" > in.csv
printf 'task,ins_count,%s\n1,600,%s\n' "$(seq -s, -f 'd%.0f' 2500)" "$(seq -s, 2500)" > ins.csv
winnow import --quiet in.csv --instructions ins.csv -o out.winnow
