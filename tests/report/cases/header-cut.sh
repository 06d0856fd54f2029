# A file that ends in its header is refused, with the place
"$MAKE_TRACE" loop | head -c 100 > cut.winnow
winnow report cut.winnow
#= exit 1
#= stderr glob
#| winnow report: cut.winnow: byte 100: the file ends at byte 100, inside the *-byte header; winnow record makes traces
