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
