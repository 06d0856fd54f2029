# A metric that means nothing is a usage error
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --metric "x = 1 + wrok_ns"
#= exit 2
#= stderr
#| winnow report: metric 'x': column 9: unknown name 'wrok_ns'; did you mean 'work_ns'?
