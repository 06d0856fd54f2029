# Two recordings are needed
winnow diff a.winnow
#= exit 2
#= stderr glob
#| winnow diff: *
