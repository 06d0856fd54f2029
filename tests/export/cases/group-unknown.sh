# A group that is none: the nearest above it is named
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format dot --group P0.s0.1/F3
#= exit 2
#= stderr
#| winnow export: tree.winnow: 'P0.s0.1/F3': it has 1 fork-join, counted from 0; the nearest above is P0.s0.1; nothing exported
