# --depth opens so many levels below a node
"$MAKE_RUN" tree > tree.winnow
for depth in 0 1 2; do
	winnow tree tree.winnow P0.t0/F0 --depth "$depth"
done
#= stdout
#| ./fake 10 below this node: 5 grains, 10.6 us of work, 2 have a problem.
#|
#| grains     work  share   par  problems  * on the critical path
#|      5  10.6 us    90%  1.54  20% small * + P0.t0/F0  3 tasks
#|
#| small: parallel_benefit < 1 (1)
#| theta 4 here (71.43 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
#| ./fake 10 below this node: 5 grains, 10.6 us of work, 2 have a problem.
#|
#| grains     work  share   par  problems  * on the critical path
#|      5  10.6 us    90%  1.54  20% small * - P0.t0/F0     3 tasks
#|      3  8.90 us    75%  1.29  33% small * |+ P0.s0.1/L   0x3000  task
#|      2  1.70 us    14%  1.70              `+ P0.t0/F0/S  2 without problems  alike: 700 ns to 1.00 u
#|
#| small: parallel_benefit < 1 (1)
#| theta 7 here (50.00 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
#| ./fake 10 below this node: 5 grains, 10.6 us of work, 2 have a problem.
#|
#| grains     work  share   par  problems  * on the critical path
#|      5  10.6 us    90%  1.54  20% small * - P0.t0/F0       3 tasks
#|      3  8.90 us    75%  1.29  33% small * |- P0.s0.1/L     0x3000  task
#|      1   900 ns     8%                  * | |  P0.s0.1     0x3000  task
#|      2  8.00 us    68%  1.33  50% small * | `+ P0.s0.1/F0  2 tasks  alike: 2.00 us to 6.00 us
#|      2  1.70 us    14%  1.70              `- P0.t0/F0/S    2 without problems  alike: 700 ns to 1.00
#|      1   700 ns     6%                      |  P0.s0.2     0x3010  task
#|      1  1.00 us     8%                      `  P0.s0.2.1   0x3000  task
#|
#| small: parallel_benefit < 1 (1)
#| theta 9 here (35.71 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
