# --raw prints nanoseconds
"$MAKE_TRACE" loop > loop.winnow
winnow report --raw loop.winnow | sed -n "/^  span /p; /^  1 /p; s/  *$//; /2 threads x/p"
