# The text names what costs most, and the made-up places by their addresses
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow | head -n 3
#= stdout
#| ./fake --size 10: 4.00 ms on 2 threads, 6 grains. 1.22 of 2 cores busy on average. OpenMP was in use
#| for 3.15 ms of it, from 250 us after the start to 600 us before the end.
#| Worst: load imbalance (loop) at 0x2000. Fixing it could save up to 1.12 ms (35.7 % of the time).
