# lines of the source name places; where only the file is known the function's address does
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,outline_function,source_line\n1,0,0,9,0,4198822,"??:0"\n2,1,0,5,0,4198900,"fib.c:0"\n3,1,0,6,0,4198901,"fib.c:0"\n4,1,0,7,0,4198902,"fib.c:31"\n' > in.csv
winnow import --quiet in.csv
winnow report in.winnow | sed -n '/^  place/,/^$/p' | awk 'NR > 1 && NF { print $1, $3, $4 }'
winnow report in.winnow | grep -c 'compile with -g' || true
#= stdout
#| 0x4011a6 1 9
#| fib.c:31 1 7
#| fib.c+0x4011f5 1 6
#| fib.c+0x4011f4 1 5
#| 0
