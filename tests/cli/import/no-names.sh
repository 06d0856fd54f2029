# A graph without names is refused
printf '<graphml><graph><node id="n0"/><node id="n1"/><edge source="n0" target="n1"/></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv: no node is called as a task (12) or a fragment (12.1); a graph without names cannot be imported; nothing imported
