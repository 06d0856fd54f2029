#: bad-list
# A list that is none is not measured
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number,wait_instants\n1,0,0,5,1,1,[0;3\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:2: wait_instants is '[0;3', not a list like [0;30;10]; taken as not measured
#: binary
# What is no text is refused
printf '\211PNG\000\001,\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: a byte 0: this is no text; nothing imported
#: circle
# Tasks that are their own ancestors are left out
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,3,0,5,1,1\n3,2,0,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: task 2 is among its own ancestors; tasks left out for this: 2
#: cut
# A table that is cut is used up to there
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,0,7' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: 4 cells where the header has 6; rows like this are left out: is the file cut?
#: empty-join
# Joins that nothing is joined at are passed over
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,3,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: task 2 is joined at 3, and nothing at the join before; joins without children are passed over: 1
#: empty
# An empty file is refused
: > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv: the file is empty; nothing imported
#: many-columns
# a table with more columns than are read is refused for that
names=$(seq -s, -f 'c%.0f' 5000)
printf 'task,parent,joins_at,exec_cycles,%s\n1,0,0,10,%s\n' "$names" "$(seq -s, 5000)" > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: more than the 4096 columns that are read; remove some; nothing imported
#: many-columns-joined
# so is one that has them with the columns that are joined
printf 'task,parent,joins_at,exec_cycles,%s\n1,0,0,10,%s\n' "$(seq -s, -f 'c%.0f' 2500)" "$(seq -s, 2500)" > in.csv
printf 'task,ins_count,%s\n1,600,%s\n' "$(seq -s, -f 'd%.0f' 2500)" "$(seq -s, 2500)" > ins.csv
winnow import --quiet in.csv --instructions ins.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: no column overhead_cycles: work is not known, and taken to be execution time
#| winnow import: in.csv: 5011 columns, with those computed from them, more than the 4096 that are read; remove some; nothing imported
#: missing-cells
# Rows without what makes the graph are left out; the background context is no loss
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,0,NA,NA,1\n0,NA,NA,NA,NA,NA\n3,1,NA,5,1,2\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:5: task, parent or joins_at is no number from 0; rows like this are left out: 1
#: negative
# A time below 0 is not measured
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,-5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:2: exec_cycles is negative, or too large to be a time; such cells count as not measured: 1
#: no-columns
# A table that is none is refused, and what it lacks is told
printf "task,parent\n1,0\n" > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: no column joins_at, exec_cycles (or work_cycles); this is no task table of the prototype; nothing imported
#: no-number
# A time that is no number is told with its line
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,abc,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:2: exec_cycles is 'abc', not a number; nothing imported
#: nothing-left
# A table of nothing but such tasks is refused
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n2,3,0,5,1,1\n3,2,0,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:2: task 2 is among its own ancestors; tasks left out for this: 2
#| winnow import: in.csv: no task is left: none has parent 0, the start of the program; nothing imported
#: one-lineage
# Two children of one number cannot be told apart
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,0,5,1,1\n3,1,0,5,1,1\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:4: task 1 has two children of number 1; their lineages are one, so that they cannot be distinguished; nothing imported
#: open-quotes
# So is one that is cut inside quotes
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,1,0,"7,8' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: the file ends inside quotes; this row is left out
#: twice
# Two rows of one task are two runs
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n1,0,0,5,1,2\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:3: task 1 is there already, on line 2; a file must hold one run, and each task once; nothing imported
#: unknown-parent
# Tasks without a parent are left out
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,child_number\n1,0,0,5,1,1\n2,77,0,5,1,2\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:3: task 2 has parent 77, which is not in the file; tasks left out for this: 1
#: ways-of-writing
# quotes, a byte order mark, carriage returns, row names, comments, hexadecimal and scientific numbers are all read
printf '\357\273\277"task","parent","joins_at","exec_cycles","overhead_cycles","outline_function"\r\n# a comment\r\n"1",1,0,0,1e3,"2.5e2",4198822\r\n\r\n"b",2,1,0,0x10,NA,"0x4011a6" # another\r\n' > in.csv
winnow import --quiet in.csv -o out.winnow
winnow export out.winnow --format csv | sed 1d | cut -d, -f1-4,19,20,49-
#= stdout
#| id,lineage,kind,parent,exec_ns,work_ns,work_cycles,num_siblings,root_dist,depth,label,function,file,line,address
#| 1,R-1,task,0,1000,750,750,1,0,2,,,,,0x4011a6
#| 2,R-1-1,task,1,16,0,,1,750,4,,,,,0x4011a6

#: deep
# So is XML that is deep
awk 'BEGIN { printf "<graphml>"; for (i = 0; i < 200000; i++) printf "<a>" }' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: elements inside more than 32 others: this is no flat graph; nothing imported
#: doctype
# Entities are refused
printf '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: a document type declaration, which no grain graph has; nothing imported
#: groups
# Folded graphs are refused
printf '<graphml><graph><node id="1"><graph/></node></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: a graph in a graph: folded graphs cannot be imported; nothing imported
#: html
# XML that is no GraphML is refused
printf '<html><body/></html>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: this is XML, but no GraphML; nothing imported
#: no-names
# A graph without names is refused
printf '<graphml><graph><node id="n0"/><node id="n1"/><edge source="n0" target="n1"/></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv: no node is called as a task (12) or a fragment (12.1); a graph without names cannot be imported; nothing imported
#: other-edge
# An edge to nowhere is left out
printf '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/><graph><node id="0"/><node id="1"/><node id="f.0.0"/><node id="j.0.0"/><node id="E"/><edge source="0" target="f.0.0"/><edge source="f.0.0" target="1"/><edge source="1" target="j.0.0"><data key="w">-70</data></edge>\n<edge source="1" target="x"/><edge source="j.0.0" target="E"/></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:2: an edge from or to a node that is not there; such edges are left out: 1
#: xml-cut
# GraphML that is cut is refused, with its line
printf '<graphml>\n<graph><node id="n0">' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:2: no element found; nothing imported
#: hz
# with a rate, times are nanoseconds, and only the note of that speaks of cycles
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,create_instant\n1,0,0,4000,0,0\n2,1,0,2000,400,2001\n' > in.csv
winnow import --quiet --hz 2000000000 in.csv
winnow report in.winnow --json | jq -c '.unit, .totals.work_ns, .totals.span_ns, .imported.span_fragments_ns'
winnow report -v in.winnow | grep -c cycles
#= stdout
#| "ns"
#| 2800
#| 2800
#| 3000
#| 1
#: instructions
# an instruction-level profile of the same run brings its columns, and the problems that they show
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,cpu_id\n1,0,0,10,0,0\n2,1,0,50,0,0\n3,1,0,60,0,1\n' > in.csv
printf 'task,ins_count,stack_read,stack_write,mem_fp,ccr,clr,mem_read,mem_write,outl_func\n2,600,1,2,400,3,4,5,6,f\n3,600000,1,2,600000,3,4,5,6,f\n' > ins.csv
winnow import in.csv --instructions ins.csv
winnow report in.winnow --json | jq -c '.problems[] | select(.type == "memory_footprint" or .type == "compute_intensity") | [.type, .condition, .count]'
#= stdout
#| ["memory_footprint","> 512000",1]
#| ["compute_intensity","< 2",2]
#= stderr
#| winnow import: ins.csv: has no row of 1 of 3 tasks; their instructions are not known
#| winnow import: in.winnow: 3 grains, times in cycles
#: no-expat
# GraphML without Expat: one line names the package
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
echo '<graphml/>' > a.graphml
cat > broken.c << 'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void *
dlopen(const char *file, int flags)
{
	static void *(*real)(const char *, int);
	if (!real)
		real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	return file && strstr(file, "expat") ? 0 : real(file, flags);
}
C
gcc -shared -fPIC -w -o broken.so broken.c
LD_PRELOAD=$PWD/broken.so winnow import a.graphml
#= exit 1
#= stderr
#| winnow import: Expat (libexpat.so.1) is not there; on Debian: apt-get install libexpat1; nothing imported
#: not-a-trace
# what is there and is no trace stays
printf 'task,parent,joins_at,exec_cycles\n1,0,0,5\n' > in.csv
winnow import in.csv -o in.csv
#= exit 2
#= stderr
#| winnow import: in.csv: exists and is not a trace; nothing imported
#: places
# lines of the source name places; where only the file is known the function's address does
printf 'task,parent,joins_at,exec_cycles,overhead_cycles,outline_function,source_line\n1,0,0,9,0,4198822,"??:0"\n2,1,0,5,0,4198900,"fib.c:0"\n3,1,0,6,0,4198901,"fib.c:0"\n4,1,0,7,0,4198902,"fib.c:31"\n' > in.csv
winnow import --quiet in.csv
winnow report -v in.winnow | sed -n '/^  place/,/^$/p' | awk 'NR > 1 && NF { print $1, $3, $4 }'
winnow report -v in.winnow | grep -c 'compile with -g' || true
#= stdout
#| 0x4011a6 1 9
#| fib.c:31 1 7
#| fib.c+0x4011f5 1 6
#| fib.c+0x4011f4 1 5
#| 0
#: recorded
# a recorded run, exported as a task table and imported again, has its structure and its numbers
cp "$COMPILED/cli-omp.c.gcc" omp
OMP_NUM_THREADS=2 winnow record ./omp > /dev/null 2>&1
winnow export omp.winnow --format mir-csv > omp.csv
winnow import --quiet omp.csv -o again.winnow
winnow check again.winnow > /dev/null
# what both count: nodes, fork-joins, work of what is drawn, span of the reduced form
winnow report omp.winnow --compat --json > a.json
winnow report again.winnow --json > b.json
jq -e '.unit == "ns"' b.json
for key in .graph.nodes .graph.fork_joins .graph.chunks; do
	[ "$(jq "$key" a.json)" = "$(jq "$key" b.json)" ] || echo "$key: $(jq "$key" a.json) $(jq "$key" b.json)"
done
work() { winnow export "$1" --format csv | sed 1d | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "work_ns") c = i }
	NR > 1 { sum += $c } END { printf "%.0f\n", sum }'; }
winnow export omp.winnow --format mir-csv | sed 1d | awk -F, 'NR > 1 { sum += $7 - $9 } END { printf "%.0f\n", sum }' > x
[ "$(cat x)" = "$(work again.winnow)" ] || echo "work: $(cat x) $(work again.winnow)"
#= stdout
#| true
#: tags
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
#: weight
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
#: unfinished
# an import goes to no file whose name can be guessed, and several at once do not meet
printf 'task,parent,joins_at,work_cycles\n1,0,0,10\n2,1,0,20\n' > in.csv
echo mine > victim
ln -s "$PWD/victim" out.part
umask 077
winnow import -q in.csv -o out
cat victim
stat -c %a out
rm out.part
echo mine > in.winnow.part
winnow import -q in.csv
cat in.winnow.part
for i in 1 2 3 4 5 6 7 8; do
	winnow import -q in.csv -o together &
	pids="${pids:-} $!"
done
for pid in $pids; do
	wait "$pid" || echo failed
done
winnow check together > /dev/null
printf 'task,parent\n' > bad.csv
winnow import -q bad.csv -o none 2> /dev/null || true
ls -A
#= stdout
#| mine
#| 600
#| mine
#| bad.csv
#| in.csv
#| in.winnow
#| in.winnow.part
#| out
#| together
#| victim
#: verbs
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
