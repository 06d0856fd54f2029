# A trace without an event says so
"$MAKE_TRACE" empty > empty.winnow
winnow report empty.winnow
#= exit 1
#= stderr
#| winnow report: empty.winnow: the trace holds no event; the program met no OpenMP construct: winnow doctor PROG says what can be recorded
