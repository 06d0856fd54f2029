# Of a damaged recording the rest is shown
"$MAKE_RUN" damaged > damaged.winnow
winnow view damaged.winnow
#= exit 3
#= stdout glob
#| damaged.html: 0.? MB, * grains
#= stderr glob
#| winnow view: damaged.winnow: *damaged*
