# --critical opens along the critical path
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --critical
#= stdout
#| ./fake 10: 5 grains, 11.6 us of work, 2 have a problem.
#|
#| grains     work  share   par  problems  * on the critical path
#|      5  11.6 us    98%  1.47  20% small * - R/F0                0x1000  parallel region, 2 threads
#|      5  11.6 us    98%  1.47  20% small * `- P0.t0/L            0x1000  implicit task
#|         1.00 us     8%                  *   |  P0.t0            0x1000  implicit task
#|      5  10.6 us    90%  1.54  20% small *   `- P0.t0/F0         3 tasks
#|      3  8.90 us    75%  1.29  33% small *     |- P0.s0.1/L      0x3000  task
#|      1   900 ns     8%                  *     | |  P0.s0.1      0x3000  task
#|      2  8.00 us    68%  1.33  50% small *     | `- P0.s0.1/F0   2 tasks
#|      1  6.00 us    51%        few       *     |   |  P0.s0.1.1  0x3000  task
#|      1  2.00 us    17%        small           |   `  P0.s0.1.2  0x3010  task
#|      2  1.70 us    14%                        `  and 2 more without problems
#|
#| small: parallel_benefit < 1 (1); few: instantaneous_parallelism_median < 2 (1)
#| theta 12 here (14.29 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
