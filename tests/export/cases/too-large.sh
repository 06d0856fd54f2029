# A drawing of too many nodes is refused, and nothing is written
"$MAKE_RUN" tree > tree.winnow
status=0
winnow export tree.winnow -o tree.graphml --max-nodes 13 || status=$?
ls
winnow export tree.winnow -o tree.graphml --max-nodes 14
winnow export tree.winnow -o tree.csv --max-nodes 1
ls
exit "$status"
#= exit 1
#= stdout
#| tree.winnow
#| tree.csv
#| tree.graphml
#| tree.winnow
#= stderr
#| winnow export: tree.winnow: 14 nodes are too large for yEd; raise --max-nodes, or use --format csv
