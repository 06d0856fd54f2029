# without a function or line, the tag says where a task is from, also where R has made a number of it
printf 'task,parent,joins_at,exec_cycles,tag\n1,0,0,5,4200192\n2,1,0,6,0x401702\n3,1,0,7,fib_task\n' > in.csv
winnow import --quiet in.csv || true
winnow export in.winnow --format csv | sed 1d | awk -F, '{ print $1, $NF }'
#= stdout
#| id address
#| 1 0x401700
#| 2 0x401702
#| 3 
#= stderr
#| winnow import: in.csv:1: no column overhead_cycles: work is not known, and taken to be execution time
