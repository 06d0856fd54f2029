# so is one that has them with the columns that are joined
printf 'task,parent,joins_at,exec_cycles,%s\n1,0,0,10,%s\n' "$(seq -s, -f 'c%.0f' 2500)" "$(seq -s, 2500)" > in.csv
printf 'task,ins_count,%s\n1,600,%s\n' "$(seq -s, -f 'd%.0f' 2500)" "$(seq -s, 2500)" > ins.csv
winnow import --quiet in.csv --instructions ins.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: no column overhead_cycles: work is not known, and taken to be execution time
#| winnow import: in.csv: 5011 columns, with those computed from them, more than the 4096 that are read; remove some; nothing imported
