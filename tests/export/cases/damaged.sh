# A damaged recording is exported as far as it can be read
"$MAKE_RUN" damaged > damaged.winnow
status=0
winnow export damaged.winnow -o damaged.csv || status=$?
sed 1d damaged.csv | cut -d, -f1-3
exit "$status"
#= exit 3
#= stdout
#| id,lineage,kind
#| 1,P0.t0,implicit
#| 2,P0.s0.1,task
#| 3,P0.s0.2,task
#| 4,P0.s0.1.1,task
#| 5,P0.s0.1.2,task
#= stderr
#| winnow export: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the export is of the rest
