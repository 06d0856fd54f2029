# Without problems the tree is open where the work is
"$MAKE_RUN" depend > depend.winnow
winnow tree depend.winnow --raw
#= stdout
#| ./fake 10: 6 grains, 10000 ns of work, none have a problem; open is where the work is.
#|
#| grains   work  share   par  problems * on the critical path
#|      6  10000    98%  3.03           * - R/F0          0x1000  parallel region, 2 threads
#|      6  10000    98%  3.03           * `- P0.t0/L      0x1000  implicit task
#|          1500    15%                 *   |  P0.t0      0x1000  implicit task
#|      6   8500    83%  4.72           *   `- P0.t0/F0   6 tasks  alike: 1000 to 1800
#|      1   1800    18%                 *     |  P0.t0.1  0x3000  task
#|      5   6700    66%                 *     `  and 5 more
#|
#| theta 11 here (15.38 % saved), at most 11 for any grain (15.38 %); 13 nodes in the whole graph.
