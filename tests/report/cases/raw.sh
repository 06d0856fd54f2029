# --raw prints nanoseconds
"$MAKE_TRACE" loop > loop.winnow
winnow report --raw loop.winnow | sed -n "/^  span /p; /^  1 /p; s/  *$//; /2 threads x/p"
#= stdout glob
#| *  span *  1049100 *2 threads x 3150000 ns*up to 1125000 ns *
