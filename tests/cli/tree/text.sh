#: text
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
#: terminal
# On a terminal there is colour, unless NO_COLOR says otherwise
command -v script > /dev/null || { echo "script is missing"; exit 77; }
"$MAKE_RUN" loop > loop.winnow
export TERM=xterm
script -qec "winnow tree loop.winnow" /dev/null > coloured
NO_COLOR=1 script -qec "winnow tree loop.winnow" /dev/null > plain
grep -q "$(printf "\\033")" coloured
! grep -q "$(printf "\\033")" plain
#: utf8
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
