# Lines are drawn where the locale has them
"$MAKE_RUN" loop > loop.winnow
LC_ALL=C.UTF-8 winnow tree loop.winnow
#= stdout
#| ./fake 10: 8 grains, 9.40 us of work, 6 have a problem.
#|
#| grains     work  share   par  problems    * on the critical path
#|      8  9.40 us   100%  2.21  75% chunks  * ▾ R/F0              0x1000  parallel region, 2 threads
#|      4  6.95 us    74%  1.64  75% chunks  * ├▾ P0.t0/L          0x1000  implicit task
#|      3  5.40 us    57%  2.00  100% chunks * │ ├▾ P0.t0/F0       0x2000  loop, 3 chunks  alike: 900 n
#|      1  2.70 us    29%        chunks      * │ │ ├╴ P0.L0[8:10)  0x2000  chunk [8:10)
#|      2  2.70 us    29%        100% chunks   │ │ └╴ and 2 more
#|      1   500 ns     5%  1.00              * │ └▸ P0.t0/F1       0x3010  sections, 1 section
#|      4  2.45 us    26%  1.32  75% chunks    └▾ P0.t1/L          0x1000  implicit task
#|      3   900 ns    10%  3.00  100% chunks     ├▾ P0.t1/F0       0x2000  loop, 3 chunks  alike: 300 n
#|      1   300 ns     3%        chunks          │ ├╴ P0.L0[2:4)   0x2000  chunk [2:4)
#|      2   600 ns     6%        100% chunks     │ └╴ and 2 more
#|      1   500 ns     5%  1.00                  └▸ P0.t1/F1       0x3010  sections, 1 section
#|
#| chunks: chunk_work_balance > 2 (6)
#| theta 16 here (27.27 % saved), at most 10 for any grain (54.55 %); 22 nodes in the whole graph.
