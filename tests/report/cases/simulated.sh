#: simulated-cutoff
# a recursion of small tasks: the best cut-off stands in the advice, and the saving is in its range
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 20 20 > /dev/null 2>&1 || exit 77
winnow predict a.winnow --threads 1 > /dev/null 2>&1 || exit 77
winnow report a.winnow --json > a.json
jq -e '[.advice[] | select(.rule == "small_tasks" and .gain_source == "simulation")] | length == 1' a.json > /dev/null || exit 77
jq -c '.advice[] | select(.rule == "small_tasks") | .gain_low_ns <= .gain_expected_ns and .gain_expected_ns <= .gain_high_ns and .gain_high_ns <= .gain_ns,
	.best_first <= .best_last and .best_last <= 20' a.json
jq -r '.advice[] | select(.rule == "small_tasks") | .try' a.json | sed 's/[0-9][0-9]*/N/g; s/N to N/N/; s/ or less//'
winnow report a.winnow | grep -cE 'try: a cut-off at depth [0-9]'
winnow report -v a.winnow | grep -c 'of the time, simulated)'
# the same bytes again
winnow report a.winnow --json | cmp - a.json
#= stdout
#| true
#| true
#| a cut-off at depth N: stop creating tasks below some size: a cut-off, final(), or taskloop grainsize()
#| 1
#| 1
#: simulated-not
# a finding whose change is not simulated has no value, and says where its saving comes from
OMP_NUM_THREADS=2 winnow record -o a.winnow "$COMPILED/bench-regions.c.gcc" > /dev/null 2>&1 || exit 77
winnow report a.winnow --json | jq -c '[.advice[] | select(.rule != "small_tasks" and .rule != "small_chunks" and .rule != "uneven_loop") | [.gain_source, .best_first, .best_last]] | unique | . - [["corpus", null, null]]'
#= stdout
#| []
