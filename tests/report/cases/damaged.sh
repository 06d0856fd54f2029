# A damaged trace is reported on as far as it goes
"$MAKE_TRACE" damaged > damaged.winnow
winnow report damaged.winnow | head -n 2 | cut -c 1-40
winnow report damaged.winnow > /dev/null 2>&1
