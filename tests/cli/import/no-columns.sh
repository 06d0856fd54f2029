# A table that is none is refused, and what it lacks is told
printf "task,parent\n1,0\n" > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: no column joins_at, exec_cycles (or work_cycles); this is no task table of the prototype; nothing imported
