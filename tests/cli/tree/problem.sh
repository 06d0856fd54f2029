# --problem lets one type count, --threshold moves it
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --problem sibling_work_balance --threshold "sibling_work_balance>1.4"
#= stdout
#| ./fake 10: 5 grains, 11.6 us of work, 2 have the problem sibling_work_balance.
#|
#| grains     work  share   par  problems    * on the critical path
#|      5  11.6 us    98%  1.47  40% uneven  * - R/F0                0x1000  parallel region, 2 threads
#|      5  11.6 us    98%  1.47  40% uneven  * `- P0.t0/L            0x1000  implicit task
#|      5  10.6 us    90%  1.54  40% uneven  *   `- P0.t0/F0         3 tasks
#|      3  8.90 us    75%  1.29  66% uneven  *     |- P0.s0.1/L      0x3000  task
#|      2  8.00 us    68%  1.33  100% uneven *     | `- P0.s0.1/F0   2 tasks  alike: 2.00 us to 6.00 us
#|      1  6.00 us    51%        uneven      *     |   |  P0.s0.1.1  0x3000  task
#|      1  2.00 us    17%        uneven            |   `  P0.s0.1.2  0x3010  task
#|      2  1.70 us    14%  1.70                    `+ P0.t0/F0/S     2 without problems  alike: 700 ns
#|
#| uneven: sibling_work_balance > 1.4 (2)
#| theta 11 here (21.43 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
