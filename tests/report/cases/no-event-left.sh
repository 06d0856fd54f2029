# A trace that is cut off before its first event says where, and not that there was nothing
"$MAKE_TRACE" alone > whole.winnow
head -c 5000 whole.winnow > cut.winnow
winnow report cut.winnow
#= exit 1
#= stderr
#| winnow report: cut.winnow: byte 5000: cut off, and no event is left of it
