# GraphML that is cut is refused, with its line
printf '<graphml>\n<graph><node id="n0">' > in.csv
winnow import --quiet in.csv -o out.winnow
