#: damaged
# Of a damaged recording the rest is shown
"$MAKE_RUN" damaged > damaged.winnow
winnow tree damaged.winnow
#= exit 3
#= stdout
#| ./fake 10: 4 grains, 3.90 us of work, 1 has a problem.
#|
#| grains     work  share   par  problems  * on the critical path
#|      4  3.90 us   100%  1.00  25% small * - R/F0                0x1000  parallel region, 2 threads
#|      4  3.90 us   100%  1.00  25% small * `- P0.t0/L            0x1000  implicit task
#|      4  2.90 us    74%  1.00  25% small *   `- P0.t0/F0         2 tasks
#|      3  2.90 us    74%  1.00  33% small *     |- P0.s0.1/L      0x3000  task
#|      2  2.00 us    51%  1.00  50% small *     | `- P0.s0.1/F0   2 tasks
#|      1     0 ns     0%                        |   |  P0.s0.1.1  0x3000  task
#|      1  2.00 us    51%        small     *     |   `  P0.s0.1.2  0x3010  task
#|      1     0 ns     0%                        `  P0.s0.2        0x3010  task
#|
#| small: parallel_benefit < 1 (1)
#| theta 11 here (15.38 % saved), at most 11 for any grain (15.38 %); 13 nodes in the whole graph.
#= stderr
#| winnow tree: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the tree is of the rest
#: no-trace
# What is no recording is refused
echo hello > hello.winnow
winnow tree hello.winnow
#= exit 1
#= stderr
#| winnow tree: hello.winnow: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#: no-grain
# A recording without grains
"$MAKE_RUN" serial > serial.winnow
winnow tree serial.winnow
#= exit 1
#= stderr
#| winnow tree: serial.winnow: there is no grain in it
#: unknown-id
# An id that is none: the nearest above it is named
"$MAKE_RUN" tree > tree.winnow
for id in P0.s0.1.2.7/L P0.s0.9 P0.t0/F0/A1 P0.t0/F7 X P0.t0/L/R1-2 "" ; do
	status=0
	winnow tree tree.winnow "$id" || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow tree: tree.winnow: no grain is called 'P0.s0.1.2.7'; the nearest above is P0.s0.1.2
#| winnow tree: tree.winnow: no grain is called 'P0.s0.9'; the root is R/F0
#| winnow tree: tree.winnow: 'P0.t0/F0/A1': there are not so many groups of one shape here; the nearest above is P0.t0/F0
#| winnow tree: tree.winnow: 'P0.t0/F7': it has 1 fork-join, counted from 0; the nearest above is P0.t0
#| winnow tree: tree.winnow: no grain is called 'X'; the root is R/F0
#| winnow tree: tree.winnow: 'P0.t0/L/R1-2': these members are no run here; the nearest above is P0.t0/L
#| winnow tree: tree.winnow: '': that is drawn nowhere itself; its groups are, as in R/F0; the root is R/F0
#: unknown-problem
# A problem that is none: those that there are
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --problem slowness
#= exit 2
#= stderr
#| winnow tree: tree.winnow: 'slowness' is none of parallel_benefit instantaneous_parallelism_median instantaneous_parallelism_min instantaneous_parallelism_max sibling_work_balance chunk_work_balance chunk_work_cpu_balance
#: bad-options
# Options that say nothing
"$MAKE_RUN" tree > tree.winnow
for option in --depth=x --depth= --depth=-1 --color=red "--threshold=parallel_benefit>1"; do
	status=0
	winnow tree tree.winnow "$option" || status=$?
	echo "$status"
done
winnow tree tree.winnow --depth 1 --critical
#= exit 2
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow tree: --depth 'x': not a number of levels
#| winnow tree: --depth '': not a number of levels
#| winnow tree: --depth '-1': not a number of levels
#| winnow tree: option '--color': 'red' is not auto, always or never; see winnow help tree
#| winnow tree: --threshold 'parallel_benefit>1': not one of these with a number after it: parallel_benefit< instantaneous_parallelism_median< instantaneous_parallelism_min< instantaneous_parallelism_max< sibling_work_balance> chunk_work_balance> chunk_work_cpu_balance> memory_hierarchy_utilization<> memory_footprint> compute_intensity< work_deviation> sibling_scatter>
#| winnow tree: --depth and --critical: one of them says what to open
#: closed-pipe
# A reader that goes away is no news
"$MAKE_RUN" tree > tree.winnow
trap "" PIPE
{
	sleep 0.2
	status=0
	winnow tree tree.winnow || status=$?
	echo "$status" > status
} | true
cat status
#= stdout
#| 1
#: full-disk
# A full disk is told
"$MAKE_RUN" tree > tree.winnow
for form in --json --raw; do
	status=0
	winnow tree tree.winnow "$form" > /dev/full || status=$?
	echo "$status"
done
#= stdout
#| 1
#| 1
#= stderr
#| winnow tree: standard output: No space left on device
#| winnow tree: standard output: No space left on device
