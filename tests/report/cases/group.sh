# --group reports on what is inside one group
"$MAKE_TRACE" tasks > tasks.winnow
id=$(winnow tree tasks.winnow --depth 2 --json | sed -n "s/^      \"id\": \"\(.*F0\)\",/\1/p" | tail -n 1)
winnow report tasks.winnow --group "$id"
#= stdout
#| ./fake 10: only P0.t0/F0, 200 grains. Work 140 us, span 100 us (each parent's work before its
#| children's): parallelism 1.40.
#| Where the threads' time went and what to change is said of the whole run only.
#|
#| Places in the source, worst first
#|   place   kind  grains     work  of all  median  to make  problem
#|   0x5000  task       1   100 us  71.5 %  100 us   800 ns  100% uneven siblings
#|   0x3000  task     199  39.8 us  28.5 %  200 ns   800 ns  100% too small
#|
#| Problem grains
#|   grains   of all  critical  that                            condition
#|      199   99.5 %         0  cost more to make than they do  parallel_benefit < 1
#|      200  100.0 %         0  have a far longer sibling       sibling_work_balance > 2
