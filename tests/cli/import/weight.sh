# the longest path by work goes over task 3, by execution time over task 2; any column of numbers can be the weight
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,create_instant,ins_count\n1,0,0,100,90,0,5\n2,1,0,50,48,10,1\n3,1,0,20,0,20,NA\n4,3,0,7,0,5,9\n' > in.csv
winnow import --quiet in.csv
for weight in work_cycles exec_cycles ins_count; do
	winnow report in.winnow --weight $weight --json | jq -c '[.imported.weight, .totals.span_ns, .totals.work_ns, .imported.critical_grains]'
done
winnow report in.winnow --info | grep -c 'metric = work_cycles'
winnow report in.winnow --weight nothing 2>&1 || echo $?
winnow report in.winnow --weight exec_cycles --form fragments 2>&1 || echo $?
#= stdout
#| ["work_cycles",37,39,3]
#| ["exec_cycles",150,177,2]
#| ["ins_count",14,15,3]
#| 1
#| winnow report: the table has no column 'nothing' of numbers
#| 2
#| winnow report: --weight is of the reduced form; leave out --form fragments
#| 2
