# A file that does not exist is refused
winnow report missing.winnow
#= exit 1
#= stderr
#| winnow report: missing.winnow: cannot open: No such file or directory
