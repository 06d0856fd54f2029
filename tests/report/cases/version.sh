# A trace of a format to come is refused
"$MAKE_TRACE" loop > loop.winnow
printf "\\011" | dd of=loop.winnow bs=1 seek=8 conv=notrunc 2> /dev/null
winnow report loop.winnow
#= exit 1
#= stderr glob
#| winnow report: loop.winnow: byte 8: trace format version 9.*; read it with the winnow that recorded it
