#: job
# A job of three ranks is reported on one screen, each place once
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" loop > job.winnow.d/r/000/000001.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000002.winnow
winnow report job.winnow.d
#= stdout
#| ./fake --size 10: 3 ranks on 1 node, 2 threads each, 3.15 ms
#| Efficiency (of regions only: the time in MPI was not measured)
#|   OpenMP regions                71.7 %; lost by load imbalance 25.0 %, schedul..
#|
#| Where the time went (6 threads x 3.15 ms)
#|   work in parallel regions                 42.8 %         8.09 ms  #####
#|   ranks that began later or ended earlier  28.9 %         5.47 ms  ###
#|   idle: no ready work                      25.0 %         4.73 ms  ###
#|   other                                     3.2 %          614 us
#|
#| Ranks: 2 groups by how they spend their time
#|   groups: 0,1; 2
#|
#| What to change; the job saves at most
#|   1  1.12 ms    load imbalance (loop)  0x2000  in 2 of 3 ranks
#|      worst in rank 0; try: smaller chunks, or the long iterations first
#|   2  127 us     granularity too fine (tasks)  0x3000  in 1 of 3 ranks
#|      worst in rank 2; try: stop creating tasks below some size: a cut-off, fin..
#|   3  115 us     one thread creates all tasks  0x1000  in 1 of 3 ranks
#|      worst in rank 2; try: move that work into the tasks, or let several threa..
#|
#| Limitations: the time in MPI was not measured: it is in work and in serial code
#| winnow report -v shows all of it, --rank N the report of a rank.
#: job-all
# All sections of the report of a job
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" loop > job.winnow.d/r/000/000001.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000002.winnow
winnow report -v job.winnow.d
#= stdout
#| ./fake --size 10: 3 ranks on 1 node, 2 threads each, 3.15 ms
#|
#| Efficiency (multiplicative, then additive; doc/metrics.md has the formulas)
#|   parallel efficiency                           not available
#|     load balance of threads                     not available
#|     communication efficiency                    not available
#|   MPI parallel efficiency                       not available
#|     load balance between ranks                  not available
#|     MPI communication efficiency                not available
#|       MPI serialisation efficiency              not available
#|       MPI transfer efficiency                   not available
#|   OpenMP parallel efficiency                    not available
#|     OpenMP load balance                         not available
#|     OpenMP communication efficiency             not available
#|   process efficiency (additive)                 not available
#|     load balance between ranks                  not available
#|     communication efficiency                    not available
#|   thread efficiency (additive)                  not available
#|     serial code between regions                 not available
#|     OpenMP regions                                     71.7 %
#|       load imbalance                                   75.0 %
#|       lock contention                                 100.0 %
#|       MPI in regions                            not available
#|       preempted, and recording                        100.0 %
#|       scheduling and synchronisation                   96.8 %
#|
#| Where the time went (6 threads x 3.15 ms)
#|   work in parallel regions                 42.8 %         8.09 ms  #####
#|   ranks that began later or ended earlier  28.9 %         5.47 ms  ###
#|   idle: no ready work                      25.0 %         4.73 ms  ###
#|   synchronisation (wake-up)                 2.1 %          394 us
#|   task creation                             0.8 %          160 us
#|
#| What to change; the job saves at most
#|   1  1.12 ms    load imbalance (loop)  0x2000  in 2 of 3 ranks
#|        worst in rank 0, which saves 1.12 ms of its own time; mean of the 2
#|        ranks: 1.12 ms. its busiest thread works 1.60 times the mean; the other
#|        threads wait for it
#|        try: smaller chunks, or the long iterations first
#|   2  127 us     granularity too fine (tasks)  0x3000  in 1 of 3 ranks
#|        worst in rank 2, which saves 127 us of its own time; mean of the 1 rank:
#|        127 us. 199 tasks do 200 ns of work each and cost 1.00 us to create and
#|        schedule
#|        try: stop creating tasks below some size: a cut-off, final(), or taskloop
#|             grainsize()
#|   3  115 us     one thread creates all tasks  0x1000  in 1 of 3 ranks
#|        worst in rank 2, which saves 115 us of its own time; mean of the 1 rank:
#|        115 us. 400 us to create 200 tasks, mostly its own work between them; the
#|        other threads wait for work 115 us each; 100 % at 0x3000
#|        try: move that work into the tasks, or let several threads create them
#|
#| Groups of ranks that spend their time alike
#|   0  2 ranks like rank 0, up to 0.0 % of the time apart: 0,1
#|   1  1 rank like rank 2, up to 0.0 % of the time apart: 2
#|
#| Ranks, most work first
#|   rank  threads  elapsed    work  MPI    idle  findings  group  exit
#|      0        2  3.15 ms  61.1 %    -  35.7 %         1      0     0
#|      1        2  3.15 ms  61.1 %    -  35.7 %         1      0     0
#|      2        2   416 us  47.0 %    -  27.9 %         2      1     0
#|
#| Places with most work, over ranks
#|   place   kind      ranks  grains     work     most  in rank
#|   0x2000  chunk         2      12  7.50 ms  3.75 ms        0
#|   0x1000  implicit      3       6   447 us   251 us        2
#|   0x5000  task          1       1   100 us   100 us        2
#|   0x3000  task          1     199  39.8 us  39.8 us        2
#|
#| Limitations of this recording
#|   the time in MPI was not measured: it is in work and in serial code
#|   the clocks of ranks may differ: their manifests do not name the boot of the
#|   node
#|   messages are not matched (not all ranks have their calls of MPI beside the
#|   summary): the critical path across ranks is unknown
#: job-narrow
# 80 columns and 24 lines are enough
mkdir -p job.winnow.d/r/000
for i in 0 1 2 3 4 5 6 7; do "$MAKE_TRACE" regions > job.winnow.d/r/000/00000$i.winnow; done
"$MAKE_TRACE" producer > job.winnow.d/r/000/000008.winnow
COLUMNS=80 winnow report job.winnow.d > out
awk '{ if (length > longest) longest = length } END { print NR, longest }' out
#= stdout
#| 24 80
#: job-json
# JSON has each rank, and totals that add up to T R
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000001.winnow
winnow report --json job.winnow.d > job.json
jq -c "$NUMBERS"' | .schema, [.ranks[] | {rank, threads, elapsed_ns, grains}], .job.threads, .job.run_ns, .totals.thread_ns' job.json
jq -c "$NUMBERS"' | (.totals | [to_entries[] | select(.key != "thread_ns") | .value] | add) == .totals.thread_ns' job.json
jq -c '(.time | [.[] | values] | add) | . > 99.999 and . < 100.001' job.json
jq -c '[.pop.parallel_efficiency, .pop.mpi_parallel_efficiency]' job.json
#= stdout
#| "winnow.job_report/1"
#| [{"rank":0,"threads":2,"elapsed_ns":3150000,"grains":6},{"rank":1,"threads":2,"elapsed_ns":415500,"grains":200}]
#| 4
#| 3150000
#| 12600000
#| true
#| true
#| [null,null]
#: job-same-as-ranks
# The numbers of a job are those of the reports of its ranks
mkdir -p job.winnow.d/r/000
for run in loop tasks regions mutex; do
	"$MAKE_TRACE" "$run" > job.winnow.d/r/000/00000$((n = ${n:--1} + 1)).winnow
	winnow report --json job.winnow.d --rank "$n" > "$n.json"
done
winnow report --json job.winnow.d > job.json
jq -s '[.[].totals.elapsed_ns] | max' [0-3].json; jq .job.run_ns job.json
jq -s '[.[].totals.region_work_ns] | add' [0-3].json; jq .totals.work_ns job.json
jq -s '[.[].graph.grains] | add' [0-3].json; jq '[.ranks[].grains] | add' job.json
jq -s '[.[].sites[].work_ns] | add' [0-3].json; jq '[.sites[].work_ns] | add' job.json
jq -s '[.[].advice[].gain_expected_ns] | max' [0-3].json; jq '[.advice[].gain_ns] | max' job.json
#= stdout
#| 3150000
#| 3150000
#| 5001030
#| 5001030
#| 206
#| 206
#| 5001030
#| 5001030
#| 1125000
#| 1125000
#: job-shares
# Shares write the summaries of their ranks and print nothing; share 0 merges all
mkdir -p job.winnow.d/r/000
for i in 0 1 2 3 4; do "$MAKE_TRACE" loop > job.winnow.d/r/000/00000$i.winnow; done
winnow report job.winnow.d --share 1/2
ls job.winnow.d/s/000
winnow report job.winnow.d --share 0/2 --json | jq .job.ranks
ls job.winnow.d/s/000 | wc -l
#= stdout
#| 000001.sum
#| 000003.sum
#| 5
#| 5
#: job-share-absent
# Share 0 takes the ranks that nobody analyses
mkdir -p job.winnow.d/r/000
for i in 0 1 2; do "$MAKE_TRACE" loop > job.winnow.d/r/000/00000$i.winnow; done
winnow report job.winnow.d --share 0/2 --wait 1 --json | jq .job.ranks
#= stdout
#| 3
#: job-share-wrong
# A share that is none is a usage error
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
winnow report job.winnow.d --share 2/2
#= exit 2
#= stderr
#| winnow report: --share '2/2': not a share as 0/4, 1/4, 2/4 or 3/4
#: job-stale
# A summary is computed anew when its trace has changed, and when it is damaged
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
winnow report job.winnow.d --json | jq .ranks[0].grains
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000000.winnow
winnow report job.winnow.d --json | jq .ranks[0].grains
printf 'x' | dd of=job.winnow.d/s/000/000000.sum bs=1 seek=900 conv=notrunc 2> /dev/null
winnow report job.winnow.d --json | jq .ranks[0].grains
cp job.winnow.d/s/000/000000.sum before
winnow report job.winnow.d > /dev/null
cmp before job.winnow.d/s/000/000000.sum
#= stdout
#| 6
#| 200
#| 200
#: job-summaries
# Summaries are merged in any tree to the same bytes, and are reported as the job
mkdir -p job.winnow.d/r/000
for i in 0 1 2 3; do "$MAKE_TRACE" loop > job.winnow.d/r/000/00000$i.winnow; done
r=job.winnow.d/r/000
winnow report --summary all.sum $r/000000.winnow $r/000001.winnow $r/000002.winnow $r/000003.winnow
winnow report --summary a.sum $r/000003.winnow $r/000000.winnow
winnow report --summary b.sum $r/000002.winnow $r/000001.winnow
winnow report --summary ab.sum b.sum a.sum
cmp all.sum ab.sum
winnow report all.sum --json | jq .job.ranks
winnow report --summary twice.sum a.sum $r/000000.winnow
#= exit 1
#= stdout
#| 4
#= stderr
#| winnow report: rank 0 is in two summaries
#: job-summary-damaged
# A damaged summary is refused with one line
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
winnow report --summary all.sum job.winnow.d/r/000/000000.winnow
printf 'x' | dd of=all.sum bs=1 seek=900 conv=notrunc 2> /dev/null
winnow report all.sum
#= exit 1
#= stderr
#| winnow report: all.sum: damaged summary (S4): its bytes have changed; winnow report computes it anew from the traces
#: job-empty
# A directory without ranks
mkdir job.winnow.d
winnow report job.winnow.d
#= exit 1
#= stderr
#| winnow report: job.winnow.d: no rank was recorded to this directory; mpirun winnow record -o job.winnow.d PROG does that
#: job-foreign
# Foreign files are named and ignored
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
echo hello > job.winnow.d/notes.txt
echo hello > job.winnow.d/r/000/notes.txt
winnow report job.winnow.d --json | jq .job.ranks
#= stdout
#| 1
#= stderr
#| winnow report: job.winnow.d: 1 entry is not of a job, ignored: notes.txt
#: job-two
# Two jobs in one directory: the report is of the first, and says where the other is
mkdir -p job.winnow.d/r/000 job.winnow.d/Slurm-1.0/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" tasks > job.winnow.d/Slurm-1.0/r/000/000000.winnow
echo '{"schema": "winnow.job/1", "job_key": "a", "size": 1, "command": ["./a"]}' > job.winnow.d/job.json
echo '{"schema": "winnow.job/1", "job_key": "b", "size": 1, "command": ["./b"]}' > job.winnow.d/Slurm-1.0/job.json
winnow report job.winnow.d --json | jq .ranks[0].grains
winnow report job.winnow.d/Slurm-1.0 --json | jq .ranks[0].grains
#= stdout
#| 6
#| 200
#= stderr
#| winnow report: job.winnow.d: also has job Slurm-1.0; each has a directory of its own, and this is of the first job
#: job-absent
# Ranks without a trace are named with the reason
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
echo garbage > job.winnow.d/r/000/000001.winnow
for state in no_openmp not_selected recorded failed running; do
	n=$((${n:-1} + 1))
	echo '{"schema": "winnow.rank/1", "state": "'$state'", "reason": "No space left on device"}' > job.winnow.d/r/000/00000$n.json
done
echo '{"schema": "winnow.rank/1", "state": "running", "end": {"signal": 9}}' > job.winnow.d/r/000/000007.json
echo '{"schema": "winnow.rank/1", "sta' > job.winnow.d/r/000/000008.json
echo '{"schema": "winnow.job/1", "job_key": "a", "size": 10}' > job.winnow.d/job.json
winnow report job.winnow.d --json | jq -r '.job.ranks, .job.size, (.absent[] | "\(.rank) \(.why)")'
winnow report job.winnow.d | head -2
winnow report job.winnow.d --rank 2 || echo $?
winnow report job.winnow.d --rank x || echo $?
#= stdout
#| 1
#| 10
#| 1 its trace cannot be used: not a Winnow trace (no magic number at byte 0)
#| 2 it used no OpenMP runtime
#| 3 it was not selected by --ranks
#| 4 its trace is missing
#| 5 recording failed: No space left on device
#| 6 it still runs, or was killed before it used OpenMP
#| 7 signal 9 ended it before it used OpenMP
#| 8 its manifest is not readable (damaged, or not of schema winnow.rank/1)
#| 9 it has no file: it did not start, or was not recorded
#| ./fake --size 10: 1 of 10 ranks on 1 node, 2 threads each, 3.15 ms
#| Not in this report: ranks 1-9: its trace cannot be used: not a Winnow trace (n..
#| 1
#| 2
#= stderr
#| winnow report: job.winnow.d: rank 2 has no trace: it used no OpenMP runtime
#| winnow report: --rank 'x': not the number of a rank
#: job-none
# If no rank has a trace, there is no report
mkdir -p job.winnow.d/r/000
echo '{"schema": "winnow.rank/1", "state": "no_openmp"}' > job.winnow.d/r/000/000000.json
winnow report job.winnow.d
#= exit 1
#= stderr
#| winnow report: job.winnow.d: no rank has a trace; rank 0: it used no OpenMP runtime
#: job-json-damaged
# A damaged job.json costs the number of ranks only
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000003.winnow
echo '{"schema"' > job.winnow.d/job.json
winnow report job.winnow.d --json | jq .job.size
#= stdout
#| 1
#= stderr
#| winnow report: job.winnow.d/job.json: damaged, or not of schema winnow.job/1; ranks are found by their files, so absent ones are not counted
#: job-trace-gone
# A summary replaces a trace that is gone
mkdir -p job.winnow.d/r/000
echo '{"schema": "winnow.job/1", "job_key": "a", "size": 2}' > job.winnow.d/job.json
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" loop > job.winnow.d/r/000/000001.winnow
winnow report job.winnow.d > /dev/null
rm job.winnow.d/r/000/000001.winnow
winnow report job.winnow.d --json | jq .job.ranks
#= stdout
#| 2
#= stderr
#| winnow report: job.winnow.d: 1 trace is missing; its summary is used
#: job-restarted
# Of a rank that was started again, the last attempt counts
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000000.1.winnow
winnow report job.winnow.d --json | jq .ranks[0].grains
winnow report job.winnow.d --rank 0 --json | jq .graph.grains
#= stdout
#| 200
#| 200
#: job-read-only
# A directory that cannot be written is reported all the same
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
[ "$(id -u)" != 0 ] || { touch job.winnow.d/s; }
chmod a-w job.winnow.d
winnow report job.winnow.d --json | jq .job.ranks
chmod u+w job.winnow.d
#= stdout
#| 1
#: job-fail-if
# Conditions on the numbers of a job
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000001.winnow
winnow report job.winnow.d --fail-if "omp_region_efficiency < 90%" --fail-if "job.ranks > 2" > /dev/null || echo $?
winnow report job.winnow.d --fail-if "parallel_efficiency < 90%" > /dev/null || echo $?
winnow report job.winnow.d --fail-if "count(work_ns > 1) > 1" > /dev/null || echo $?
#= stdout
#| 4
#| 1
#| 2
#= stderr
#| winnow report: job.winnow.d: --fail-if 'omp_region_efficiency < 90%' holds: omp_region_efficiency is 0.770476
#| winnow report: job.winnow.d: --fail-if 'parallel_efficiency < 90%' cannot be decided: parallel_efficiency was not measured
#| winnow report: --fail-if 'count(work_ns > 1) > 1': column 1: 'count' is over all grains, which are not at hand here
#: job-options
# Options for one recording need --rank
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
winnow report job.winnow.d --group P0.t0/F0 || echo $?
winnow report job.winnow.d --rank 0 --group P0.t0/F0 | head -1
winnow report job.winnow.d job.winnow.d || echo $?
winnow report job.winnow.d/r/000/000000.winnow --rank 0 || echo $?
#= stdout
#| 2
#| ./fake --size 10: only P0.t0/F0, 3 grains. Work 3.00 ms, span 1.00 ms (each
#| 2
#| 1
#= stderr
#| winnow report: --group is about one recording, not a job; --rank N selects one
#| winnow report: one job at a time; winnow diff compares two
#| winnow report: job.winnow.d/r/000/000000.winnow: --rank is for the directory of a job
#: job-csv
# The table of grains of all ranks has one header, and a column with the rank
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
echo garbage > job.winnow.d/r/000/000001.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000002.winnow
winnow export --format csv job.winnow.d -o all.csv || echo $?
winnow export --format csv job.winnow.d --rank 2 -o two.csv
cut -d, -f1-4 all.csv | sed -n '2,4p'
grep -c '^#' all.csv
cut -d, -f1 all.csv | sort | uniq -c | awk '!/#/ { print $2, $1 }'
sed -n 's/^2,//p' all.csv > twos
tail -n +3 two.csv | cmp - twos
winnow export --format dot job.winnow.d || echo $?
#= stdout
#| 3
#| rank,id,lineage,kind
#| 0,1,P0.t0,implicit
#| 0,2,P0.L0[0:2),chunk
#| 1
#| 0 8
#| 2 202
#| rank 1
#| 2
#= stderr
#| winnow export: job.winnow.d/r/000/000001.winnow: not a Winnow trace (no magic number at byte 0); the rank is left out
#| winnow export: job.winnow.d: a job has one graph for each rank; use --rank N, or --format csv for all grains
#: job-tree
# The trees of ranks have a column with the rank
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000001.winnow
winnow tree job.winnow.d R/F0 --depth 1
winnow tree job.winnow.d --json | jq -c '.schema, [.ranks[] | [.rank, .tree.schema]]'
winnow tree job.winnow.d/r/000/000001.winnow --json > one.json
winnow tree job.winnow.d --rank 1 --json | cmp - one.json
winnow tree job.winnow.d P9 || echo $?
#= stdout
#|   rank
#|      0  ./fake --size 10: 6 grains, 3.85 ms of work, none have a problem.
#|
#|      0  grains     work  share   par  problems * on the critical path
#|      0       6  3.85 ms   100%  3.67           * - R/F0      0x1000  parallel ..
#|      0       3  3.05 ms    79%  2.91           * |+ P0.t0/L  0x1000  implicit ..
#|      0       3   799 us    21%  2.67             `+ P0.t1/L  0x1000  implicit ..
#|
#|      0  theta 4 here (75.00 % saved), at most 9 for any grain (43.75 %); 16
#|      0  nodes in the whole graph.
#|      1  ./fake 10: 200 grains, 390 us of work, 200 have a problem.
#|
#|      1  grains    work  share   par  problems    * on the critical path
#|      1     200  390 us   100%  1.11  100% uneven * - R/F0      0x1000  paralle..
#|      1     200  390 us   100%  1.11  100% uneven * `+ P0.t0/L  0x1000  implici..
#|
#|      1  uneven: sibling_work_balance > 2 (200)
#|      1  theta 3 here (98.55 % saved), at most 205 for any grain (0.97 %); 207
#|      1  nodes in the whole graph.
#| "winnow.job_tree/1"
#| [[0,"winnow.tree/1"],[1,"winnow.tree/1"]]
#| 2
#= stderr
#| winnow tree: job.winnow.d/r/000/000000.winnow: no grain is called 'P9'; the root is R/F0; the rank is left out
#| winnow tree: job.winnow.d/r/000/000001.winnow: no grain is called 'P9'; the root is R/F0; the rank is left out
#: job-diff
# Two jobs are compared by efficiencies, times, findings and places
mkdir -p a.winnow.d/r/000 b.winnow.d/r/000
for i in 0 1; do "$MAKE_TRACE" loop > a.winnow.d/r/000/00000$i.winnow; done
"$MAKE_TRACE" loop > b.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" tasks > b.winnow.d/r/000/000001.winnow
winnow diff a.winnow.d b.winnow.d
winnow diff --json a.winnow.d b.winnow.d | jq -c "$NUMBERS"' | [.advice[] | [.rule, .ranks]], [.sites[] | [.place, .grains, .work_difference_ns]], .totals.run_ratio'
winnow diff --json b.winnow.d a.winnow.d | jq -c "$NUMBERS"' | [.sites[] | [.place, .grains, .work_difference_ns]]'
#= stdout
#| A  ./fake --size 10: 2 ranks on 1 node, 2 threads each, 3.15 ms
#| B  ./fake --size 10: 2 ranks on 1 node, 2 threads each, 3.15 ms
#| B takes 1.00 times as long as A.
#|
#| Efficiency
#|                                             A        B    B - A
#|     OpenMP regions                     61.1 %   77.0 %  +16.0 %
#|       load imbalance                   64.3 %   80.3 %  +16.0 %
#|       lock contention                 100.0 %  100.0 %   +0.0 %
#|       preempted, and recording        100.0 %  100.0 %   +0.0 %
#|       scheduling and synchronisation   96.8 %   96.7 %   -0.1 %
#|
#| Where the threads' time went, all ranks
#|                                              A   of T R        B   of T R  B / A
#|   work in parallel regions             7.70 ms   61.1 %  4.24 ms   33.6 %   0.55
#|   task creation                           0 ns    0.0 %   160 us    1.3 %      -
#|   synchronisation (wake-up)             388 us    3.1 %   200 us    1.6 %   0.52
#|   idle: no ready work                  4.50 ms   35.7 %  2.48 ms   19.7 %   0.55
#|   ranks that began later or ended e..     0 ns    0.0 %  5.47 ms   43.4 %      -
#|   threads x run time                   12.6 ms  100.0 %  12.6 ms  100.0 %   1.00
#|
#| Findings: only in B, in both, only in A
#|   finding                       place   ranks A  ranks B  saves A  saves B
#|   granularity too fine (tasks)  0x3000        -        1        -   127 us
#|   one thread creates all tasks  0x1000        -        1        -   115 us
#|   load imbalance (loop)         0x2000        2        1  1.12 ms  1.12 ms
#|
#| Places, all ranks, largest difference of work first
#|   place   grains A  grains B   work A   work B  B / A
#|   0x2000        12         6  7.50 ms  3.75 ms   0.50
#|   0x1000         4         4   196 us   349 us   1.78
#|   0x5000         0         1     0 ns   100 us      -
#|   0x3000         0       199     0 ns  39.8 us      -
#| [["small_tasks",[null,1]],["one_producer",[null,1]],["uneven_loop",[2,1]]]
#| [["0x2000",[12,6],-3750000],["0x1000",[4,4],152800],["0x5000",[null,1],100000],["0x3000",[null,199],39800]]
#| 1
#| [["0x2000",[6,12],3750000],["0x1000",[4,4],-152800],["0x5000",[1,null],-100000],["0x3000",[199,null],-39800]]
#: job-diff-options
# Jobs are compared with jobs; conditions are on the numbers of the comparison
mkdir -p a.winnow.d/r/000
"$MAKE_TRACE" loop > a.winnow.d/r/000/000000.winnow
winnow report --summary a.sum a.winnow.d/r/000/000000.winnow
winnow diff a.winnow.d a.sum --fail-if "run_ratio > 0.99" > /dev/null || echo $?
winnow diff a.winnow.d a.sum --group P0 || echo $?
winnow diff a.winnow.d a.winnow.d/r/000/000000.winnow || echo $?
winnow diff a.winnow.d missing || echo $?
#= stdout
#| 4
#| 2
#| 2
#| 2
#= stderr
#| winnow diff: --fail-if 'run_ratio > 0.99' holds: run_ratio is 1
#| winnow diff: --group: only for recordings, not for jobs
#| winnow diff: a job is compared with one other job
#| winnow diff: a job is compared with one other job
#: job-view
# The page of a job has a row for each rank, and links to the pages of ranks that exist
mkdir -p job.winnow.d/r/000
"$MAKE_TRACE" loop > job.winnow.d/r/000/000000.winnow
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000001.winnow
"$MAKE_TRACE" hostile > job.winnow.d/r/000/000002.winnow
winnow view job.winnow.d/ --rank 1 > /dev/null
winnow view job.winnow.d | sed 's/[0-9.]* MB/MB/'
ls *.html
grep -c '<tr id="r' job.html
grep -o 'href="job-[0-9]*.html"' job.html
tr -d '\n' < job.html | grep -c '[[:cntrl:]]' || true
# its only script is the one that its policy allows
grep -o '<script' job.html | wc -l
sed -n '/<script>/,/<\/script>/p' job.html | sed 's/^<script>//; s/<\/script>$//' | head -c -1 | openssl dgst -sha256 -binary | base64 > hash
grep -c "script-src 'sha256-$(cat hash)'" job.html
winnow view job.winnow.d --against job.winnow.d || echo $?
#= stdout
#| job.html: MB, 3 ranks
#| job-1.html
#| job.html
#| 3
#| href="job-1.html"
#| 0
#| 1
#| 1
#| 2
#= stderr
#| winnow view: --against is about one recording, not a job; --rank N selects one
#: job-launcher
# Processes of a launcher share the ranks by its numbers; one that is alone does not wait
mkdir -p job.winnow.d/r/000
for i in 0 1 2 3; do "$MAKE_TRACE" loop > job.winnow.d/r/000/00000$i.winnow; done
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 winnow report job.winnow.d
ls job.winnow.d/s/000
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 winnow report job.winnow.d --json | jq .job.ranks
rm -r job.winnow.d/s
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 winnow report job.winnow.d --json | jq .job.ranks
#= stdout
#| 000001.sum
#| 000003.sum
#| 4
#| 4
#: job-launcher-together
# Processes that run at the same time give the report of one
mkdir -p job.winnow.d/r/000
for i in 0 1 2 3 4 5 6 7; do "$MAKE_TRACE" tasks > job.winnow.d/r/000/00000$i.winnow; done
for i in 1 2 3; do winnow report job.winnow.d --share $i/4 & done
winnow report job.winnow.d --share 0/4 --json > together.json
wait
winnow report job.winnow.d --json | cmp - together.json
#: job-parts
# Where the launcher names its processes, each merges its share to one file, which the first one reads and removes
mkdir -p job.winnow.d/r/000
for i in 0 2 3; do "$MAKE_TRACE" loop > job.winnow.d/r/000/00000$i.winnow; done
echo garbage > job.winnow.d/r/000/000001.winnow
export PMIX_NAMESPACE=run.1 OMPI_COMM_WORLD_SIZE=2
OMPI_COMM_WORLD_RANK=1 winnow report job.winnow.d
ls job.winnow.d/s
OMPI_COMM_WORLD_RANK=0 winnow report job.winnow.d --wait 200 --json | jq -c '[.job.ranks, .absent]'
ls job.winnow.d/s
#= stdout
#| 000
#| open-mpi-run.1.1.sum
#| [3,[{"rank":1,"why":"its trace cannot be used: not a Winnow trace (no magic number at byte 0)"}]]
#| 000
#: job-parts-stale
# A part of traces that have changed since is not used
mkdir -p job.winnow.d/r/000
for i in 0 1; do "$MAKE_TRACE" loop > job.winnow.d/r/000/00000$i.winnow; done
export PMIX_NAMESPACE=run.1 OMPI_COMM_WORLD_SIZE=2
OMPI_COMM_WORLD_RANK=1 winnow report job.winnow.d
"$MAKE_TRACE" tasks > job.winnow.d/r/000/000001.winnow
OMPI_COMM_WORLD_RANK=0 winnow report job.winnow.d --wait 200 --json | jq -c '[.ranks[].grains]'
#= stdout
#| [6,200]
