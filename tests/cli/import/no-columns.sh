# A table that is none is refused, and what it lacks is told
printf "task,parent\n1,0\n" > in.csv
winnow import --quiet in.csv -o out.winnow
