# A time below 0 is not measured
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,-5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:2: exec_cycles is negative, or too large to be a time; such cells count as not measured: 1
