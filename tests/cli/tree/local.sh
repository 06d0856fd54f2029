# --critical opens the longest path of a group that the critical one does not come to
"$MAKE_RUN" loop > loop.winnow
winnow tree loop.winnow P0.t1/L --critical
#= stdout
#| ./fake 10 below this node: 4 grains, 2.45 us of work, 3 have a problem; open is the longest path
#| inside: the critical one is elsewhere.
#|
#| grains     work  share   par  problems    * on the critical path
#|      4  2.45 us    26%  1.32  75% chunks    - P0.t1/L        0x1000  implicit task
#|         1.05 us    11%                      |  P0.t1         0x1000  implicit task
#|      3   900 ns    10%  3.00  100% chunks   |- P0.t1/F0      0x2000  loop, 3 chunks
#|      1   300 ns     3%        chunks        | |  P0.L0[2:4)  0x2000  chunk [2:4)
#|      2   600 ns     6%        100% chunks   | `  and 2 more
#|      1   500 ns     5%  1.00                `- P0.t1/F1      0x3010  sections, 1 section
#|      1   500 ns     5%                        `  P0.S0[1]    0x3010  section 1
#|
#| chunks: chunk_work_balance > 2 (3)
#| theta 12 here (45.45 % saved), at most 10 for any grain (54.55 %); 22 nodes in the whole graph.
