# A time that is no number is told with its line
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,abc,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:2: exec_cycles is 'abc', not a number; nothing imported
