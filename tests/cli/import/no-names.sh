# A graph without names is refused
printf '<graphml><graph><node id="n0"/><node id="n1"/><edge source="n0" target="n1"/></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
