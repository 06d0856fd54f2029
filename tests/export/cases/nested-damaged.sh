# Of a damaged recording the rest is nested
"$MAKE_RUN" damaged > damaged.winnow
status=0
winnow export damaged.winnow -o damaged.graphml --nested || status=$?
grep -c folder damaged.graphml
exit "$status"
