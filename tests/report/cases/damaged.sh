# A damaged trace is reported on as far as it goes
"$MAKE_TRACE" damaged > damaged.winnow
winnow report damaged.winnow | head -n 2 | cut -c 1-40
winnow report damaged.winnow > /dev/null 2>&1
#= exit 3
#= stdout glob
#| ./fake --size 10: 4.00 ms on 1 thread, 3
#| *
#= stderr glob
#| winnow report: damaged.winnow: byte [0-9]*: damaged; skipped*; the report is of the rest
