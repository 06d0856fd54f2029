# Folded graphs are refused
printf '<graphml><graph><node id="1"><graph/></node></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: a graph in a graph: folded graphs cannot be imported; nothing imported
