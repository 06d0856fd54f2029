# A recording is never overwritten
"$MAKE_RUN" tree > tree.winnow
cp tree.winnow copy.winnow
status=0
winnow export tree.winnow --format csv -o copy.winnow || status=$?
cmp tree.winnow copy.winnow
exit "$status"
#= exit 2
#= stderr
#| winnow export: copy.winnow: is a recording; nothing exported
