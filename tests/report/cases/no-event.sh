# A trace without an event says so
"$MAKE_TRACE" empty > empty.winnow
winnow report empty.winnow
