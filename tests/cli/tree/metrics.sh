# Metrics of the user have a value on each node, by their rule
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --depth 3 --json --metric "cost = creation_ns / work_ns" --metric "worst = cost" --bad high --metric "usual = cost" --propagate median --metric "all = work_ns" --propagate sum --metric "own = cost" --propagate none | jq -c '.nodes[] | [.id, .kind, .metrics.cost, .metrics.worst, .metrics.usual, .metrics.all, .metrics.own]'
COLUMNS=120 winnow tree tree.winnow --depth 2 --metric "cost = creation_ns / work_ns" --metric "worst = cost" --bad high
#= stdout
#| ["R/F0","fork_join",0.0862069,0.285714,0.193651,11600,null]
#| ["P0.t0/L","linear",0.0862069,0.285714,0.193651,11600,null]
#| ["P0.t0","grain",null,null,null,1000,null]
#| ["P0.t0/F0","fork_join",0.0943396,0.285714,0.193651,10600,null]
#| ["P0.s0.1/L","linear",0.0674157,0.222222,0.144444,8900,null]
#| ["P0.t0/F0/S","siblings",0.235294,0.285714,0.242857,1700,null]
#| ./fake 10: 5 grains, 11.6 us of work, 2 have a problem.
#|
#| grains     work  share   par  problems  * on the critical path
#|      5  11.6 us    98%  1.47  20% small * - R/F0         0x1000  parallel region, 2 threads  cost 0.08621, worst 0.2857
#|      5  11.6 us    98%  1.47  20% small * `- P0.t0/L     0x1000  implicit task  cost 0.08621, worst 0.2857
#|         1.00 us     8%                  *   |  P0.t0     0x1000  implicit task
#|      5  10.6 us    90%  1.54  20% small *   `+ P0.t0/F0  3 tasks  cost 0.09434, worst 0.2857
#|
#| small: parallel_benefit < 1 (1)
#| theta 4 here (71.43 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
