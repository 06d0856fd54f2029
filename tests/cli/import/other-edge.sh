# An edge to nowhere is left out
printf '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/><graph><node id="0"/><node id="1"/><node id="f.0.0"/><node id="j.0.0"/><node id="E"/><edge source="0" target="f.0.0"/><edge source="f.0.0" target="1"/><edge source="1" target="j.0.0"><data key="w">-70</data></edge>\n<edge source="1" target="x"/><edge source="j.0.0" target="E"/></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 3
#= stderr
#| winnow import: in.csv:2: an edge from or to a node that is not there; such edges are left out: 1
