# A table of grains has no fragments
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format csv --form fragments
#= exit 2
#= stderr
#| winnow export: csv has no form fragments; use graphml or dot
