# An empty file is refused
: > empty.winnow
winnow report empty.winnow
#= exit 1
#= stderr glob
#| winnow report: empty.winnow: byte 0: the file is empty*
