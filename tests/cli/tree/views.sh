#: critical
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
#: depth
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
#|      2  1.70 us    14%  1.70              `+ P0.t0/F0/S  2 without problems  alike: 700 ns to 1.00..
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
#|      2  1.70 us    14%  1.70              `- P0.t0/F0/S    2 without problems  alike: 700 ns to 1...
#|      1   700 ns     6%                      |  P0.s0.2     0x3010  task
#|      1  1.00 us     8%                      `  P0.s0.2.1   0x3000  task
#|
#| small: parallel_benefit < 1 (1)
#| theta 9 here (35.71 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
#: ids
# Every id is taken back
for run in tree loop threads depend hostile; do
	"$MAKE_RUN" "$run" > "$run.winnow"
	winnow tree "$run.winnow" --depth 20 --json > all.json
	sed -n "s/^      \"id\": \"\(.*\)\",/\1/p" all.json > ids
	while read -r id; do
		winnow tree "$run.winnow" "$id" --depth 0 --json > one.json
		grep -qF "\"root\": \"$id\"" one.json || echo "$run: $id"
	done < ids
	sed -n "s/^      \"gid\": \"\(.*\)\",/\1/p" all.json > gids
	paste ids gids | while read -r id gid; do
		winnow tree "$run.winnow" "$gid" --depth 0 --json > one.json
		grep -qF "\"root\": \"$id\"" one.json || echo "$run: $id by $gid"
	done
	wc -l < ids
	sort -u gids | wc -l
done
winnow tree tree.winnow 0123456789abcdef || echo "$?"
#= stdout
#| 12
#| 12
#| 17
#| 17
#| 7
#| 7
#| 10
#| 10
#| 12
#| 12
#| 2
#= stderr
#| winnow tree: tree.winnow: '0123456789abcdef': no node has this gid
#: json
# --json has the same nodes
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --json
#= stdout
#| {
#|   "schema": "winnow.tree/1",
#|   "command": "./fake 10",
#|   "unit": "ns",
#|   "weight": null,
#|   "counts": null,
#|   "tree": {
#|     "graph_nodes": 14,
#|     "groups": 5,
#|     "theta_max": 12,
#|     "savings_percent": 14.2857
#|   },
#|   "view": {
#|     "root": "R/F0",
#|     "aim": "problems",
#|     "problem_types": [
#|       "parallel_benefit",
#|       "instantaneous_parallelism_median",
#|       "sibling_work_balance",
#|       "chunk_work_balance",
#|       "chunk_work_cpu_balance"
#|     ],
#|     "theta": 11,
#|     "savings_percent": 21.4286,
#|     "groups_left_closed": 0
#|   },
#|   "nodes": [
#|     {
#|       "id": "R/F0",
#|       "gid": "a2eb0a67dd7c74e9",
#|       "parent": null,
#|       "depth": 0,
#|       "kind": "fork_join",
#|       "what": "parallel region, 2 threads",
#|       "open": true,
#|       "members": 1,
#|       "grains": 5,
#|       "work_ns": 11600,
#|       "work_percent": 98.3051,
#|       "span_ns": 7900,
#|       "parallelism": 1.46835,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 3,
#|       "problem_grains": 2,
#|       "problems": {
#|         "parallel_benefit": 1,
#|         "instantaneous_parallelism_median": 1,
#|         "instantaneous_parallelism_min": 2
#|       },
#|       "theta": 2,
#|       "metrics": {},
#|       "work_spread_ns": null,
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": "0x1000"
#|     },
#|     {
#|       "id": "P0.t0/L",
#|       "gid": "c8e02d0773b54a20",
#|       "parent": "R/F0",
#|       "depth": 1,
#|       "kind": "linear",
#|       "what": "implicit task",
#|       "open": true,
#|       "members": 2,
#|       "grains": 5,
#|       "work_ns": 11600,
#|       "work_percent": 98.3051,
#|       "span_ns": 7900,
#|       "parallelism": 1.46835,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 3,
#|       "problem_grains": 2,
#|       "problems": {
#|         "parallel_benefit": 1,
#|         "instantaneous_parallelism_median": 1,
#|         "instantaneous_parallelism_min": 2
#|       },
#|       "theta": 3,
#|       "metrics": {},
#|       "work_spread_ns": null,
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": "0x1000"
#|     },
#|     {
#|       "id": "P0.t0/F0",
#|       "gid": "7291a5d391b3ae32",
#|       "parent": "P0.t0/L",
#|       "depth": 2,
#|       "kind": "fork_join",
#|       "what": "3 tasks",
#|       "open": true,
#|       "members": 2,
#|       "grains": 5,
#|       "work_ns": 10600,
#|       "work_percent": 89.8305,
#|       "span_ns": 6900,
#|       "parallelism": 1.53623,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 2,
#|       "problem_grains": 2,
#|       "problems": {
#|         "parallel_benefit": 1,
#|         "instantaneous_parallelism_median": 1,
#|         "instantaneous_parallelism_min": 2
#|       },
#|       "theta": 6,
#|       "metrics": {},
#|       "work_spread_ns": null,
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": null
#|     },
#|     {
#|       "id": "P0.s0.1/L",
#|       "gid": "6af49a5b2e0554b5",
#|       "parent": "P0.t0/F0",
#|       "depth": 3,
#|       "kind": "linear",
#|       "what": "task",
#|       "open": true,
#|       "members": 2,
#|       "grains": 3,
#|       "work_ns": 8900,
#|       "work_percent": 75.4237,
#|       "span_ns": 6900,
#|       "parallelism": 1.28986,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 2,
#|       "problem_grains": 2,
#|       "problems": {
#|         "parallel_benefit": 1,
#|         "instantaneous_parallelism_median": 1,
#|         "instantaneous_parallelism_min": 2
#|       },
#|       "theta": 7,
#|       "metrics": {},
#|       "work_spread_ns": null,
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": "0x3000"
#|     },
#|     {
#|       "id": "P0.s0.1/F0",
#|       "gid": "bef9aadcc4ec7d38",
#|       "parent": "P0.s0.1/L",
#|       "depth": 4,
#|       "kind": "fork_join",
#|       "what": "2 tasks",
#|       "open": true,
#|       "members": 2,
#|       "grains": 2,
#|       "work_ns": 8000,
#|       "work_percent": 67.7966,
#|       "span_ns": 6000,
#|       "parallelism": 1.33333,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 1,
#|       "problem_grains": 2,
#|       "problems": {
#|         "parallel_benefit": 1,
#|         "instantaneous_parallelism_median": 1,
#|         "instantaneous_parallelism_min": 1
#|       },
#|       "theta": 9,
#|       "metrics": {},
#|       "work_spread_ns": {
#|         "min": 2000.0,
#|         "quartile1": 3000.0,
#|         "median": 4000.0,
#|         "quartile3": 5000.0,
#|         "max": 6000.0
#|       },
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": null
#|     },
#|     {
#|       "id": "P0.s0.1.1",
#|       "gid": "499133f56166c03e",
#|       "parent": "P0.s0.1/F0",
#|       "depth": 5,
#|       "kind": "grain",
#|       "what": "task",
#|       "open": false,
#|       "members": 0,
#|       "grains": 1,
#|       "work_ns": 6000,
#|       "work_percent": 50.8475,
#|       "span_ns": 6000,
#|       "parallelism": 1.0,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 1,
#|       "problem_grains": 1,
#|       "problems": {
#|         "instantaneous_parallelism_median": 1,
#|         "instantaneous_parallelism_min": 1
#|       },
#|       "theta": 11,
#|       "metrics": {},
#|       "work_spread_ns": null,
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": "0x3000"
#|     },
#|     {
#|       "id": "P0.s0.1.2",
#|       "gid": "820901131fbe04d1",
#|       "parent": "P0.s0.1/F0",
#|       "depth": 5,
#|       "kind": "grain",
#|       "what": "task",
#|       "open": false,
#|       "members": 0,
#|       "grains": 1,
#|       "work_ns": 2000,
#|       "work_percent": 16.9492,
#|       "span_ns": 2000,
#|       "parallelism": 1.0,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 0,
#|       "problem_grains": 1,
#|       "problems": {
#|         "parallel_benefit": 1
#|       },
#|       "theta": 11,
#|       "metrics": {},
#|       "work_spread_ns": null,
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": "0x3010"
#|     },
#|     {
#|       "id": "P0.t0/F0/S",
#|       "gid": "79d34a6545b54c1a",
#|       "parent": "P0.t0/F0",
#|       "depth": 3,
#|       "kind": "siblings",
#|       "what": "2 without problems",
#|       "open": false,
#|       "members": 2,
#|       "grains": 2,
#|       "work_ns": 1700,
#|       "work_percent": 14.4068,
#|       "span_ns": 1000,
#|       "parallelism": 1.7,
#|       "weight": null,
#|       "span_weight": null,
#|       "critical_grains": 0,
#|       "problem_grains": 0,
#|       "problems": {},
#|       "theta": 6,
#|       "metrics": {},
#|       "work_spread_ns": {
#|         "min": 700.0,
#|         "quartile1": 775.0,
#|         "median": 850.0,
#|         "quartile3": 925.0,
#|         "max": 1000.0
#|       },
#|       "file": null,
#|       "line": null,
#|       "function": null,
#|       "place": null
#|     }
#|   ]
#| }
#: lines
# --lines is kept, and what stays closed is said
"$MAKE_RUN" loop > loop.winnow
for lines in 1 2 5 9; do
	winnow tree loop.winnow --lines "$lines" > lines.txt
	sed -n "/^grains/,/^\$/p" lines.txt | grep -c " P0\| R/\|and "
	tr "\n" " " < lines.txt | grep -o "[0-9]* more group[^:]*" || true
done
#= stdout
#| 1
#| 1 more group would be expanded with more lines
#| 1
#| 1 more group would be expanded with more lines
#| 5
#| 2 more groups would be expanded with more lines
#| 9
#| 1 more group would be expanded with more lines
#: local
# --critical opens the longest path of a group that the critical one does not come to
"$MAKE_RUN" loop > loop.winnow
winnow tree loop.winnow P0.t1/L --critical
#= stdout
#| ./fake 10 below this node: 4 grains, 2.45 us of work, 3 have a problem; expanded along the longest
#| path inside: the critical one is elsewhere.
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
#: work
# Without problems the tree is open where the work is
"$MAKE_RUN" depend > depend.winnow
winnow tree depend.winnow --raw
#= stdout
#| ./fake 10: 6 grains, 10000 ns of work, none have a problem; expanded where the work is.
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
#: weight
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
#|      2  1.90 us    15%  1.90                  `+ P0.t0/F0/S  2 without problems  alike: 700 ns to ..
#|
#| small: parallel_benefit < 1 (1)
#| theta 7 here (50.00 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
#| ["time",12600,8700,11600]
#| [null,null,null]
#| 2
#= stderr
#| winnow tree: tree.winnow: --weight 'nothing': the recording has no such weight; it has work, time
#: problem
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
#|      2  1.70 us    14%  1.70                    `+ P0.t0/F0/S     2 without problems  alike: 700 n..
#|
#| uneven: sibling_work_balance > 1.4 (2)
#| theta 11 here (21.43 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
#: columns
# No line is wider than COLUMNS
"$MAKE_RUN" hostile > hostile.winnow
for columns in 20 80 95 120 500; do
	COLUMNS=$columns winnow tree hostile.winnow --depth 9 | awk -v columns=$columns "
		length > most { most = length }
		END { print (columns < 80 ? most <= 80 : columns > 120 ? most <= 120 : most <= columns) }"
done | sort -u
#= stdout
#| 1
#: metrics
# Metrics of the user have a value on each node, by their rule
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --depth 3 --json --metric "cost = creation_ns / work_ns" --metric "worst = cost" --bad high --metric "usual = cost" --propagate median --metric "all = work_ns" --propagate sum --metric "own = cost" --propagate none | jq -c "$NUMBERS"' | .nodes[] | [.id, .kind, .metrics.cost, .metrics.worst, .metrics.usual, .metrics.all, .metrics.own]'
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
#|      2  1.70 us    14%  1.70                  `+ P0.t0/F0/S     2 without problems  alike: 700 ns ..
#|
#| small: parallel_benefit < 1 (1); few: instantaneous_parallelism_median < 2 (1)
#| theta 11 here (21.43 % saved), at most 12 for any grain (14.29 %); 14 nodes in the whole graph.
#: terminal
# On a terminal there is colour, unless NO_COLOR says otherwise
command -v script > /dev/null || { echo "script is missing"; exit 77; }
"$MAKE_RUN" loop > loop.winnow
export TERM=xterm
script -qec "winnow tree --no-pager loop.winnow" /dev/null > coloured
NO_COLOR=1 script -qec "winnow tree --no-pager loop.winnow" /dev/null > plain
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
#|      8  9.40 us   100%  2.21  75% chunks  * ▾ R/F0              0x1000  parallel region, 2 threads …
#|      4  6.95 us    74%  1.64  75% chunks  * ├▾ P0.t0/L          0x1000  implicit task
#|      3  5.40 us    57%  2.00  100% chunks * │ ├▾ P0.t0/F0       0x2000  loop, 3 chunks  alike: 900 …
#|      1  2.70 us    29%        chunks      * │ │ ├╴ P0.L0[8:10)  0x2000  chunk [8:10)
#|      2  2.70 us    29%        100% chunks   │ │ └╴ and 2 more
#|      1   500 ns     5%  1.00              * │ └▸ P0.t0/F1       0x3010  sections, 1 section
#|      4  2.45 us    26%  1.32  75% chunks    └▾ P0.t1/L          0x1000  implicit task
#|      3   900 ns    10%  3.00  100% chunks     ├▾ P0.t1/F0       0x2000  loop, 3 chunks  alike: 300 …
#|      1   300 ns     3%        chunks          │ ├╴ P0.L0[2:4)   0x2000  chunk [2:4)
#|      2   600 ns     6%        100% chunks     │ └╴ and 2 more
#|      1   500 ns     5%  1.00                  └▸ P0.t1/F1       0x3010  sections, 1 section
#|
#| chunks: chunk_work_balance > 2 (6)
#| theta 16 here (27.27 % saved), at most 10 for any grain (54.55 %); 22 nodes in the whole graph.
#: damaged
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
#: no-trace
# What is no recording is refused
echo hello > hello.winnow
winnow tree hello.winnow
#= exit 1
#= stderr
#| winnow tree: hello.winnow: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#: no-grain
# A recording without grains
"$MAKE_RUN" serial > serial.winnow
winnow tree serial.winnow
#= exit 1
#= stderr
#| winnow tree: serial.winnow: there is no grain in it
#: unknown-id
# An id that is none: the nearest above it is named
"$MAKE_RUN" tree > tree.winnow
for id in P0.s0.1.2.7/L P0.s0.9 P0.t0/F0/A1 P0.t0/F7 X P0.t0/L/R1-2 "" ; do
	status=0
	winnow tree tree.winnow "$id" || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow tree: tree.winnow: no grain is called 'P0.s0.1.2.7'; the nearest above is P0.s0.1.2
#| winnow tree: tree.winnow: no grain is called 'P0.s0.9'; the root is R/F0
#| winnow tree: tree.winnow: 'P0.t0/F0/A1': there are not so many groups of one shape here; the nearest above is P0.t0/F0
#| winnow tree: tree.winnow: 'P0.t0/F7': it has 1 fork-join, counted from 0; the nearest above is P0.t0
#| winnow tree: tree.winnow: no grain is called 'X'; the root is R/F0
#| winnow tree: tree.winnow: 'P0.t0/L/R1-2': these members are no run here; the nearest above is P0.t0/L
#| winnow tree: tree.winnow: '': that is drawn nowhere itself; its groups are, as in R/F0; the root is R/F0
#: unknown-problem
# A problem that is none: those that there are
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --problem slowness
#= exit 2
#= stderr
#| winnow tree: tree.winnow: 'slowness' is none of parallel_benefit instantaneous_parallelism_median instantaneous_parallelism_min instantaneous_parallelism_max sibling_work_balance chunk_work_balance chunk_work_cpu_balance
#: bad-options
# Options that say nothing
"$MAKE_RUN" tree > tree.winnow
for option in --depth=x --depth= --depth=-1 --color=red "--threshold=parallel_benefit>1"; do
	status=0
	winnow tree tree.winnow "$option" || status=$?
	echo "$status"
done
winnow tree tree.winnow --depth 1 --critical
#= exit 2
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow tree: --depth 'x': not a number of levels
#| winnow tree: --depth '': not a number of levels
#| winnow tree: --depth '-1': not a number of levels
#| winnow tree: option '--color': 'red' is not auto, always or never; see winnow help tree
#| winnow tree: --threshold 'parallel_benefit>1': not one of these with a number after it: parallel_benefit< instantaneous_parallelism_median< instantaneous_parallelism_min< instantaneous_parallelism_max< sibling_work_balance> chunk_work_balance> chunk_work_cpu_balance> memory_hierarchy_utilization<> memory_footprint> compute_intensity< work_deviation> sibling_scatter>
#| winnow tree: --depth and --critical: give only one of them
#: closed-pipe
# A reader that goes away is no news
"$MAKE_RUN" tree > tree.winnow
trap "" PIPE
{
	sleep 0.2
	status=0
	winnow tree tree.winnow || status=$?
	echo "$status" > status
} | true
cat status
#= stdout
#| 1
#: full-disk
# A full disk is told
"$MAKE_RUN" tree > tree.winnow
for form in --json --raw; do
	status=0
	winnow tree tree.winnow "$form" > /dev/full || status=$?
	echo "$status"
done
#= stdout
#| 1
#| 1
#= stderr
#| winnow tree: standard output: No space left on device
#| winnow tree: standard output: No space left on device
