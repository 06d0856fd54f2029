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
