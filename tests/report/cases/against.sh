# Another run shows work inflation: first in the text, in the JSON, and what the gate counts
"$MAKE_TRACE" alone > alone.winnow
"$MAKE_TRACE" inflated > inflated.winnow
winnow report inflated.winnow --against alone.winnow | sed -n 2p
winnow report inflated.winnow --against alone.winnow --json | jq -c '.advice[0] | [.rule, .place, .gain_ns, .count]'
winnow report inflated.winnow --json | jq '.advice | map(.rule) | index("work_inflation")'
winnow report inflated.winnow --against missing.winnow || echo $?
winnow report inflated.winnow --against alone.winnow --group R/F0 || echo $?
#= stdout
#| Worst: work inflation at 0xa000. Fixing it could save up to 240 us (41.5 % of the time).
#| ["work_inflation","0xa000",240000,6]
#| null
#| 1
#| 2
#= stderr
#| winnow report: missing.winnow: cannot open: No such file or directory
#| winnow report: --group: --against is about the whole run
