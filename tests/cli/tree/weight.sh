# --weight time adds what making tasks costs, and names its column after it; work is the default
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --depth 3 --weight time
winnow tree tree.winnow --depth 3 > plain
winnow tree tree.winnow --depth 3 --weight work | cmp - plain
winnow tree tree.winnow --json --weight time | jq -c '[.weight, .nodes[0].weight, .nodes[0].span_weight, .nodes[0].work_ns]'
winnow tree tree.winnow --json | jq -c '[.weight, .nodes[0].weight, .nodes[0].span_weight]'
winnow tree tree.winnow --weight nothing || echo $?
#= stdout
#| ./fake 10: 5 grains, 11.6 us of work, 2 have a problem.
#|
#| grains     time  share   par  problems  * on the critical path
#|      5  12.6 us    98%  1.45  20% small * - R/F0             0x1000  parallel region, 2 threads
#|      5  12.6 us    98%  1.45  20% small * `- P0.t0/L         0x1000  implicit task
#|         1.40 us    11%                  *   |  P0.t0         0x1000  implicit task
#|      5  11.2 us    88%  1.53  20% small *   `- P0.t0/F0      3 tasks
#|      3  9.30 us    73%  1.27  33% small *     |+ P0.s0.1/L   0x3000  task
#|      2  1.90 us    15%  1.90                  `+ P0.t0/F0/S  2 without problems  alike: 700 ns to 1.
#|
#| small: parallel_benefit < 1 (1)
#| theta 7 here (50.00 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
#| ["time",12600,8700,11600]
#| [null,null,null]
#| 2
#= stderr
#| winnow tree: tree.winnow: --weight 'nothing': the recording has no such weight; it has work, time
