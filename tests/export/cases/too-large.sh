# A drawing of too many nodes is refused, and nothing is written
"$MAKE_RUN" tree > tree.winnow
status=0
winnow export tree.winnow -o tree.graphml --max-nodes 13 || status=$?
ls
winnow export tree.winnow -o tree.graphml --max-nodes 14
winnow export tree.winnow -o tree.csv --max-nodes 1
ls
exit "$status"
