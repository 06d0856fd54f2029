# a table with more columns than are read is refused for that
names=$(seq -s, -f 'c%.0f' 5000)
printf 'task,parent,joins_at,exec_cycles,%s\n1,0,0,10,%s\n' "$names" "$(seq -s, 5000)" > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: more than the 4096 columns that are read; remove some; nothing imported
