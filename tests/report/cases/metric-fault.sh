# A metric that means nothing is a usage error
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --metric "x = 1 + wrok_ns"
