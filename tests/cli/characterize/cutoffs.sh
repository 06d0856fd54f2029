# A series of cut-offs: real runs, tasks by cut-off, the range where it must be
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
cp "$COMPILED/bench-sort.c.gcc" sort
export OMP_NUM_THREADS=2
for depth in 10 2 4 6 8; do
	winnow record -o fib-$depth.winnow ./fib 18 $depth > /dev/null 2> /dev/null
done
winnow characterize --cutoffs fib-*.winnow --json --svg fib > fib.json
jq -c "$NUMBERS"' | .schema, .argument, .judged_by, .interpolation, [.runs[] | [.cutoff, .tasks]]' fib.json
jq -c '[.runs[] | .creation_known == .tasks and (.mean_ns | length == 3 and all(. != null and . >= 0))] | all' fib.json
# whatever was measured: the range is between the cut-offs that were run, and what it says of its ends holds
jq -c '.recommended as $r | [.runs[].cutoff] as $c |
	($r.from == null or ($r.from >= $c[0] and $r.to <= $c[-1] and $r.from <= $r.to)),
	($r.is_good | not) or ([.runs[] | select(.cutoff >= $r.from and .cutoff <= $r.to) | .mean_ns.parallelisation <= .mean_ns.execution and .mean_ns.idle <= .mean_ns.parallelisation] | all)' fib.json
grep -o ">execution<\|>parallelisation<\|>idle<" fib-cutoffs.svg | sort
for cutoff in 1024 4096 16384; do
	winnow record -o sort-$cutoff.winnow ./sort 60000 $cutoff 4096 > /dev/null 2> /dev/null
done
winnow characterize --cutoffs sort-*.winnow --json --median | jq -c "$NUMBERS"' | [.judged_by, [.runs[].cutoff]]'
winnow characterize --cutoffs sort-*.winnow > text
sed -n 1p text
# given, and in any order; two arguments that differ; the same twice; no number; one run
winnow characterize --cutoffs 3=fib-8.winnow 1=fib-2.winnow --json | jq -c "$NUMBERS"' | [.argument, [.runs[].cutoff]]'
winnow characterize --cutoffs fib-2.winnow sort-1024.winnow || echo $?
winnow characterize --cutoffs fib-2.winnow fib-2.winnow || echo $?
winnow characterize --cutoffs 2=fib-2.winnow 2=fib-4.winnow || echo $?
winnow characterize --cutoffs 2=fib-2.winnow fib-4.winnow || echo $?
winnow characterize --cutoffs x=fib-2.winnow fib-4.winnow || echo $?
winnow characterize --cutoffs 2=fib-2.winnow | grep -c "One run tells no trend"
# pictures of what has no trend, and of cut-offs that are negative or far apart
winnow characterize --cutoffs --svg one 2=fib-2.winnow > /dev/null
winnow characterize --cutoffs --svg far -- -5=fib-2.winnow 0=fib-4.winnow 1e300=fib-6.winnow > /dev/null
for picture in one far; do
	! command -v xmllint > /dev/null || xmllint --noout $picture-cutoffs.svg
	! grep -i '"[^"]*\(nan\|inf\)[^a-z][^"]*"' $picture-cutoffs.svg
done
# large cut-offs are told whole
! grep -q '[0-9]e+[0-9]' text || grep 'e+' text
# cut-offs that were given may be of anything
winnow characterize --cutoffs 1=fib-2.winnow 2=fib-4.winnow 3=sort-4096.winnow | tr '\n' ' ' | grep -o "1 of 3 runs .* doing\."
winnow characterize --cutoffs 1=fib-2.winnow 2=fib-4.winnow | grep -c "another program" || true
#= stdout
#| "winnow.cutoffs/1"
#| 2
#| "mean"
#| "log-log"
#| [[2,7],[4,31],[6,127],[8,511],[10,2027]]
#| true
#| true
#| true
#| >execution<
#| >idle<
#| >parallelisation<
#| ["median",[1024,4096,16384]]
#| ./sort 60000 1024 4096: 3 cut-offs, told by argument 2.
#| [null,[1,3]]
#| 2
#| 2
#| 2
#| 2
#| 2
#| 1
#| 1 of 3 runs is of another program, as sort: what differs need not be the cut-off's doing.
#| 0
#= stderr
#| winnow characterize: the runs differ in the arguments 1 and 2: which is the cut-off? Give each as NUMBER=FILE
#| winnow characterize: the runs differ in no argument: what is the cut-off? Give each as NUMBER=FILE
#| winnow characterize: fib-2.winnow and fib-4.winnow have one cut-off, 2; leave one out
#| winnow characterize: some cut-offs are given as NUMBER=FILE and some are not
#| winnow characterize: x=fib-2.winnow: 'x' is no number; with --cutoffs, NAME of NAME=FILE is the cut-off
