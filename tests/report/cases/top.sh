# --top says how many places are listed, and the rest is counted
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --top 1 tasks.winnow | grep -A 3 "^Places"
#= stdout glob
#| Places in the source, worst first
#|   place *
#|   0x3000 *
#|   and 2 more: --top 3
