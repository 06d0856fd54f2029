# The text names what costs most, and the made-up places by their addresses
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow | head -n 3
