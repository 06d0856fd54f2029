# A folder that does not exist is told
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow -o no/tree.svg
#= exit 1
#= stderr
#| winnow export: no/tree.svg: No such file or directory; nothing exported
