# Without a file there is nothing to report on
winnow report
#= exit 2
#= stderr glob
#| winnow report: missing operand*
