# quotes, a byte order mark, carriage returns, row names, comments, hexadecimal and scientific numbers are all read
printf '\357\273\277"task","parent","joins_at","exec_cycles","overhead_cycles","outline_function"\r\n# a comment\r\n"1",1,0,0,1e3,"2.5e2",4198822\r\n\r\n"b",2,1,0,0x10,NA,"0x4011a6" # another\r\n' > in.csv
winnow import --quiet in.csv -o out.winnow
winnow export out.winnow --format csv | sed 1d | cut -d, -f1-4,19,20,49-
#= stdout
#| id,lineage,kind,parent,exec_ns,work_ns,work_cycles,num_siblings,root_dist,depth,label,function,file,line,address
#| 1,R-1,task,0,1000,750,750,1,0,2,,,,,0x4011a6
#| 2,R-1-1,task,1,16,0,,1,750,4,,,,,0x4011a6
