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
