# Of a damaged recording the rest is nested
"$MAKE_RUN" damaged > damaged.winnow
status=0
winnow export damaged.winnow -o damaged.graphml --nested || status=$?
grep -c folder damaged.graphml
exit "$status"
#= exit 3
#= stdout
#| 5
#= stderr
#| winnow export: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the export is of the rest
