# A condition that holds wins over damage
"$MAKE_TRACE" damaged > damaged.winnow
winnow report damaged.winnow --fail-if "grains<4" > /dev/null
#= exit 4
#= stderr glob
#| *: --fail-if 'grains<4' holds: grains is 3
#| winnow report: damaged.winnow: byte [0-9]*: damaged*
