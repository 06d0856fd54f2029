# A fault in a file of metrics has its line and column
printf '# first\nmetric a = work_ns\nmetric b = a + wrok_ns\n' > my.metrics
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --metrics my.metrics
#= exit 2
#= stderr
#| winnow report: my.metrics:3:16: unknown name 'wrok_ns'; did you mean 'work_ns'?
