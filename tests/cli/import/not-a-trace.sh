# what is there and is no trace stays
printf 'task,parent,joins_at,exec_cycles\n1,0,0,5\n' > in.csv
winnow import in.csv -o in.csv
#= exit 2
#= stderr
#| winnow import: in.csv: is there, and is no trace; nothing imported
