# A damaged recording is compared as far as it goes
"$MAKE_TRACE" damaged > damaged.winnow
"$MAKE_TRACE" loop > loop.winnow
winnow diff loop.winnow damaged.winnow > /dev/null
#= exit 3
#= stderr glob
#| winnow diff: damaged.winnow: *damaged*what is said is of the rest
