# GraphML that is cut is refused, with its line
printf '<graphml>\n<graph><node id="n0">' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:2: no element found; nothing imported
