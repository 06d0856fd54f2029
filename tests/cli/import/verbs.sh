# every verb reads an imported program of loops
cat > in.csv <<'END'
task,parent,joins_at,cpu_id,child_number,num_children,exec_cycles,creation_cycles,overhead_cycles,create_instant,tag,metadata,outline_function,wait_instants
1,0,0,0,1,2,9000,0,100,0,idle_task,NA,0x401000,[0;8000;4000]
2,1,0,0,1,3,2000,5,50,10,GOMP_parallel_task,NA,0x401000,[0;1900]
3,1,0,1,2,3,2500,5,50,20,GOMP_parallel_task,NA,0x401000,[0;2400]
4,2,0,0,1,0,10,1,0,11,GOMP_for_static_task,chunk_start,0x401100,[0]
5,2,0,0,2,0,700,1,0,12,GOMP_for_static_task,chunk_0_4,0x401100,[0]
6,2,0,0,3,0,900,1,0,13,GOMP_for_static_task,chunk_4_8,0x401100,[0]
7,3,0,1,1,0,10,1,0,11,GOMP_for_static_task,chunk_start,0x401100,[0]
8,3,0,1,2,0,9000,1,0,12,GOMP_for_static_task,chunk_8_12,0x401100,[0]
9,3,0,1,3,0,800,1,0,13,GOMP_for_static_task,chunk_12_16,0x401100,[0]
10,1,1,0,3,2,1000,5,50,4010,GOMP_parallel_task,NA,0x401000,[0;900]
11,10,0,0,1,0,10,1,0,11,GOMP_for_static_task,chunk_start,0x401200,[0]
12,10,0,0,2,0,400,1,0,12,GOMP_for_static_task,chunk_0_9,0x401200,[0]
END
winnow import --quiet in.csv
winnow check --quiet in.winnow
winnow report in.winnow > /dev/null
winnow report in.winnow --info | grep -E 'tasks|chunk'
for format in dot graphml svg csv mir-csv; do
	winnow export in.winnow --format $format > /dev/null
done
winnow export in.winnow --form fragments --format dot > /dev/null
winnow tree in.winnow > /dev/null
winnow similar in.winnow > /dev/null
winnow diff in.winnow in.winnow > /dev/null
winnow dump in.winnow > /dev/null
winnow export in.winnow --format csv | sed 1d | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 && $3 == "chunk" {
	print $1, $c["loop"], $c["range_first"], $c["chunk_work_balance"], $c["chunk_work_cpu_balance"] }'
#= stdout
#| Number of tasks = 12
#| Number of critical tasks = 5
#| 4 grains have !is.na(chunk_work_balance) & chunk_work_balance > 2, 1 of which are on the critical path.
#| 0 grains have !is.na(chunk_work_cpu_balance) & chunk_work_cpu_balance > 2, 0 of which are on the critical path.
#| 5 0 0 3.15789 1.7193
#| 6 0 4 3.15789 1.7193
#| 8 0 8 3.15789 1.7193
#| 9 0 12 3.15789 1.7193
#| 12 1 0 1 1
