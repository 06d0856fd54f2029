#: color-always
# --color=always colours a pipe too, and auto does not
"$MAKE_TRACE" loop > loop.winnow
winnow report --color=always loop.winnow | grep -c "$(printf "\\033")" > always || true
winnow report loop.winnow | grep -c "$(printf "\\033")" > auto || true
test "$(cat always)" -gt 5
cat auto
#= stdout
#| 0
#: color-bad
# --color knows three words
winnow report --color=sometimes missing.winnow
#= exit 2
#= stderr
#| winnow report: option '--color': 'sometimes' is not auto, always or never; see winnow help report
#: raw
# --raw prints nanoseconds
"$MAKE_TRACE" loop > loop.winnow
winnow report -v --raw loop.winnow | sed -n "/^  span /p; /^  1 /p; s/  *$//; /2 threads x/p"
#= stdout glob
#| *  span *  1049100 *2 threads x 3150000 ns*about 1125000 ns *
#: terminal
# On a terminal there is colour, unless NO_COLOR says otherwise
command -v script > /dev/null || { echo "script is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
export TERM=xterm
script -qec "winnow report --no-pager loop.winnow" /dev/null > coloured
NO_COLOR=1 script -qec "winnow report --no-pager loop.winnow" /dev/null > plain
grep -q "$(printf "\\033")" coloured
! grep -q "$(printf "\\033")" plain
#: threshold
# --threshold moves what counts as a problem
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
winnow report --json --threshold "chunk_work_balance>1.5" loop.winnow | jq -c ".problems[] | select(.type == \"chunk_work_balance\") | [.condition, .count]"
#= stdout
#| ["> 1.5",6]
#: threshold-direction
# A threshold keeps its direction
winnow report --threshold "parallel_benefit>1" missing.winnow
#= exit 2
#= stderr glob
#| winnow report: --threshold 'parallel_benefit>1': not one of these with a number after it: parallel_benefit< *chunk_work_cpu_balance> *compute_intensity< *
#: top
# --top says how many places are listed, and the rest is counted
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --top 1 tasks.winnow | grep -A 3 "^Places"
#= stdout glob
#| Places in the source, worst first
#|   place *
#|   0x3000 *
#|   and 2 more: --top 3
#: weight
# --weight time is the burdened span with all that making grains cost; work is the default, and what there is not is told
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
winnow report tasks.winnow --json > work.json
winnow report tasks.winnow --json --weight time > time.json
winnow report tasks.winnow --json --weight work | jq -c .totals.weight
jq -c .totals.weight work.json time.json
test "$(jq .totals.weight.span time.json)" = "$(jq .totals.span_burdened_ns work.json)"
test "$(jq -c '.totals | del(.weight)' time.json)" = "$(jq -c '.totals | del(.weight)' work.json)"
winnow report tasks.winnow --weight time --raw | sed -n '/by time/,/^$/p'
winnow report tasks.winnow --weight nothing || echo $?
winnow report tasks.winnow --weight time --group R || echo $?
#= stdout
#| {"name":"work","unit":"ns","work":390800,"span":250000,"parallelism":1.5632,"critical_grains":0,"unknown_grains":0}
#| null
#| {"name":"time","unit":"ns","work":550800,"span":410000,"parallelism":1.34341,"critical_grains":0,"unknown_grains":0}
#| Parallelism by time
#|   work                       550800   total weight on all threads
#|   span                       410000   weight of the heaviest path, which has to
#|                                       run in order
#|   work / span                  1.34   exposed parallelism
#|   critical path                   0   grains on that path, which is the critical
#|                                       path of this report
#|
#| 2
#| 2
#= stderr
#| winnow report: --weight 'nothing': the recording has no such weight; it has work, time
#| winnow report: --group: --weight is about the whole run
#: theta
# --theta prints one row: grains, nodes, what must be seen of them at once, nodes of the tree
"$MAKE_TRACE" loop > loop.winnow
winnow report --theta loop.winnow
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --theta tasks.winnow
"$MAKE_TRACE" regions > regions.winnow
winnow report --theta regions.winnow
#= stdout
#|   program           grains  nodes  theta_c  saved %  theta_pb  saved %  in tree
#|   ./fake --size 10       8     16        9    43.75         1    93.75       13
#|   program    grains  nodes  theta_c  saved %  theta_pb  saved %  in tree
#|   ./fake 10     201    207      205     0.97       205     0.97      204
#|   program    grains  nodes  theta_c  saved %  theta_pb  saved %  in tree
#|   ./fake 10       0      2        -        -         -        -        0
#: version
# A trace of a format to come is refused
"$MAKE_TRACE" loop > loop.winnow
printf "\\011" | dd of=loop.winnow bs=1 seek=8 conv=notrunc 2> /dev/null
winnow report loop.winnow
#= exit 1
#= stderr glob
#| winnow report: loop.winnow: byte 8: trace format version 9.*; read it with the winnow that recorded it
#: against
# Another run shows work inflation: first in the text, in the JSON, and what the gate counts
"$MAKE_TRACE" alone > alone.winnow
"$MAKE_TRACE" inflated > inflated.winnow
winnow report inflated.winnow --against alone.winnow | sed -n 2p
winnow report inflated.winnow --against alone.winnow --json | jq -c '.advice[0] | [.rule, .place, .loss_ns, .count]'
winnow report inflated.winnow --json | jq '.advice | map(.rule) | index("work_inflation")'
winnow report inflated.winnow --against missing.winnow || echo $?
winnow report inflated.winnow --against alone.winnow --group R/F0 || echo $?
#= stdout
#| Worst: work inflation at 0xa000. Fixing it could save about 180 us (31.1 % of
#| ["work_inflation","0xa000",240000,6]
#| null
#| 1
#| 2
#= stderr
#| winnow report: missing.winnow: cannot open: No such file or directory
#| winnow report: --group: --against is about the whole run
#: source
# A program compiled with -g is reported on by file, line and function
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cat > sum.c << "END"
static volatile double total[64];
static void
fill(void)
{
#pragma omp parallel for schedule(dynamic, 8)
	for (int i = 0; i < 64; i++)
		for (int j = 0; j < 100000; j++)
			total[i] += j;
}
int
main(void)
{
	fill();
	return 0;
}
END
gcc -g -O1 -fopenmp sum.c -o sum || { echo "gcc cannot compile OpenMP here"; exit 77; }
OMP_NUM_THREADS=2 winnow record -o sum.winnow ./sum 2> /dev/null
winnow report -v sum.winnow | grep -o "sum.c:5  *fill  *chunk  *8 "
#= stdout
#| sum.c:5  fill      chunk          8 
#: stripped
# Without -g, places are functions and addresses, and the report says why
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cat > sum.c << "END"
static volatile double total[64];
int
main(void)
{
#pragma omp parallel for schedule(dynamic, 8)
	for (int i = 0; i < 64; i++)
		total[i] += i;
	return 0;
}
END
gcc -O1 -fopenmp sum.c -o sum || { echo "gcc cannot compile OpenMP here"; exit 77; }
OMP_NUM_THREADS=2 winnow record -o sum.winnow ./sum 2> /dev/null
winnow report -v sum.winnow | sed -n "s/.*\(sum has no debug information\).*/\1/p"
rm sum
winnow report -v sum.winnow | sed -n "s/.*\(sum cannot be read any more\).*/\1/p"
#= stdout
#| sum has no debug information
#| sum cannot be read any more

#: fail-if
# A condition that holds is exit status 4, and said; one that does not is silent
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "chunks > 5" --fail-if "parallelism<2" > /dev/null
#= exit 4
#= stderr
#| winnow report: loop.winnow: --fail-if 'chunks > 5' holds: chunks is 6
#: fail-if-grains
# A condition may be over all grains, and over what a report alone does not keep
"$MAKE_TRACE" tasks > tasks.winnow
winnow report tasks.winnow --fail-if "count(work_ns < 1us) / grains > 50% and advice > 0" --fail-if "max(end_ns) < 1us" --fail-if "median(inst_par_max where kind == task) == 3" > /dev/null
#= exit 4
#= stderr
#| winnow report: tasks.winnow: --fail-if 'count(work_ns < 1us) / grains > 50% and advice > 0' holds: grains is 200, advice is 2, count(work_ns < 1us) is 199
#| winnow report: tasks.winnow: --fail-if 'median(inst_par_max where kind == task) == 3' holds: median(inst_par_max where kind == task) is 3
#: fail-if-not
# Conditions that do not hold change nothing
"$MAKE_TRACE" loop > loop.winnow
winnow report --json loop.winnow --fail-if "chunks>6" --fail-if "problems.parallel_benefit>100" > /dev/null
#: fail-if-null
# A number that was not measured cannot be decided, and does not pass for good
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "problems.memory_footprint>0" > /dev/null
#= exit 1
#= stderr
#| winnow report: loop.winnow: --fail-if 'problems.memory_footprint>0' cannot be decided: problems.memory_footprint was not measured
#: fail-if-syntax
# An expression that is none is a usage error, before the file is looked at
winnow report missing.winnow --fail-if "parallelism=4"
#= exit 2
#= stderr
#| winnow report: --fail-if 'parallelism=4': column 12: expected an operator, found '='; equality is ==; see winnow help report
#: fail-if-unknown
# A number that no report has is a usage error, and nothing is printed
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "paralelism<4"
#= exit 2
#= stderr
#| winnow report: --fail-if 'paralelism<4': column 1: unknown name 'paralelism'; did you mean 'parallelism'?
#: group-fail-if
# Conditions on a group are about what is inside it: three grains of six
"$MAKE_TRACE" loop > loop.winnow
for condition in "count(work_ns > 0) == 3" "grains != 3" "parallelism == 3"; do
	status=0
	winnow report loop.winnow --group P0.t0/F0 --fail-if "$condition" > /dev/null || status=$?
	echo "$status"
done
winnow report loop.winnow --json | jq .graph.grains
#= stdout
#| 4
#| 0
#| 4
#| 6
#= stderr
#| winnow report: loop.winnow: --fail-if 'count(work_ns > 0) == 3' holds: count(work_ns > 0) is 3
#| winnow report: loop.winnow: --fail-if 'parallelism == 3' holds: parallelism is 3
#: damaged-fail-if
# A condition that holds wins over damage
"$MAKE_TRACE" damaged > damaged.winnow
winnow report damaged.winnow --fail-if "grains<4" > /dev/null
#= exit 4
#= stderr glob
#| *: --fail-if 'grains<4' holds: grains is 3
#| winnow report: damaged.winnow: byte [0-9]*: damaged*
