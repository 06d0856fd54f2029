# The tree is open towards the problems
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow
#= stdout
#| ./fake 10: 5 grains, 11.6 us of work, 2 have a problem.
#|
#| grains     work  share   par  problems  * on the critical path
#|      5  11.6 us    98%  1.47  20% small * - R/F0                0x1000  parallel region, 2 threads
#|      5  11.6 us    98%  1.47  20% small * `- P0.t0/L            0x1000  implicit task
#|      5  10.6 us    90%  1.54  20% small *   `- P0.t0/F0         3 tasks
#|      3  8.90 us    75%  1.29  33% small *     |- P0.s0.1/L      0x3000  task
#|      2  8.00 us    68%  1.33  50% small *     | `- P0.s0.1/F0   2 tasks  alike: 2.00 us to 6.00 us
#|      1  6.00 us    51%        few       *     |   |  P0.s0.1.1  0x3000  task
#|      1  2.00 us    17%        small           |   `  P0.s0.1.2  0x3010  task
#|      2  1.70 us    14%  1.70                  `+ P0.t0/F0/S     2 without problems  alike: 700 ns to
#|
#| small: parallel_benefit < 1 (1); few: instantaneous_parallelism_median < 2 (1)
#| theta 11 here (21.43 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
