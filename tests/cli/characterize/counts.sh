# Counts of other runs go to the runs of their command, on any number of threads
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
gcc -std=gnu17 -O1 -g -fopenmp -o kinds "$PROGRAMS/../../counters/programs/kinds.c" || exit 1
simulated=simulated:instructions=6,mem_reads=2,mem_writes=3,stack_reads=1,stack_writes=1,footprint_addresses=1
record() { # NAME THREADS COUNTERS COMMAND...
	name=$1 threads=$2 counters=$3
	shift 3
	OMP_NUM_THREADS=$threads LD_PRELOAD=$SIMULATED WINNOW_COUNTERS=$counters winnow record -o "$name" "$@" > /dev/null 2> /dev/null
}
for n in 16 18 20; do
	record c$n 1 $simulated ./fib $n 4
	record t$n 2 "" ./fib $n 4
done
lends="--counts c20 --counts=c16 --counts c18"
# each has the medians of the run that was counted; c18 has its own
winnow characterize --json t16 t20 c18 t18 $lends > a.json
winnow characterize --json c16 c20 c18 c18 > b.json
names='["footprint","memory_reads","memory_writes","stack_reads","stack_writes","instructions","tasks","join_degree"]'
for f in a b; do
	jq -c --argjson names "$names" '[.cases[].properties | [.[$names[]]]]' $f.json > $f.medians
done
cmp a.medians b.medians && echo "the same medians"
jq -c '.analysis, .weight, [.cases[] | [.file, .counts.file, .counts.matched == .properties.tasks, .counts.without_counts, .left_out]]' a.json
# paths are by counts of the same tasks, but for where a schedule cuts what is between them
jq -c '[.cases[] | .properties | .critical_path > 0, .work >= .critical_path, .critical_path > .instructions] | all' a.json
winnow characterize t16 t18 --counts c16 --counts c18 > c.txt || echo $?
grep -c "counts of 2 of 2 runs are of other runs of the same" c.txt
winnow characterize --weight time t16 t18 --counts c16 --counts c18 --json | jq -c '[.cases[].properties.memory_reads > 0] | all'
# a run that nobody has counted is left out of the others
winnow characterize --json t16 t18 t20 --counts c16 --counts c18 | jq -c '[.cases[] | [.name, .lacks]]'
# chunks that the number of threads cuts otherwise have no counts, and that is said
record k2 2 "" ./kinds more
record k4 4 $simulated ./kinds more
winnow characterize t16 k2 --counts c16 --counts k4 | grep -o "kinds more: .* grains have counts, the others are not there"
# what does not fit
record other 1 $simulated ./fib 17 4
cp c16 twice
head -c 200 c16 > head
printf 'no trace' > text
status() {
	code=0
	winnow characterize "$@" > /dev/null || code=$?
	echo "$code"
}
status t16 t18 --counts c16 --counts other
status t16 --counts other
status t16 t18 t16 --counts c16 --counts twice
status t16 t18 --counts t16
status t16 t18 --counts head
status t16 t18 --counts text
status t16 t18 --counts missing
status --cutoffs t16 t18 --counts c16
status --table text --counts c16
# a damaged file lends what is left of it
head -c $(($(wc -c < c18) - 100)) c18 > cut
status t16 t18 --counts c16 --counts cut
#= stdout
#| the same medians
#| "done"
#| "instructions"
#| [["t16","c16",true,0,null],["t20","c20",true,0,null],["c18","c18",true,0,null],["t18","c18",true,0,null]]
#| true
#| 1
#| true
#| [["fib 16 4",null],["fib 18 4",null],["fib 20 4","footprint"]]
#| kinds more: 62 of 68 grains have counts, the others are not there
#| 1
#| 1
#| 2
#| 1
#| 1
#| 1
#| 1
#| 2
#| 2
#| 3
#= stderr
#| winnow characterize: --counts other: of none of the runs: counts of another run: of './fib 17 4', not of './fib 18 4'
#| winnow characterize: --counts other: of none of the runs: counts of another run: of './fib 17 4', not of './fib 16 4'
#| winnow characterize: --counts twice: of the same run as c16; give one of them
#| winnow characterize: t16: --counts t16: nothing was counted in it; winnow count counts
#| winnow characterize: head: byte 200: the file ends at byte 200, inside the 4096-byte header; winnow record makes traces
#| winnow characterize: text: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#| winnow characterize: missing: cannot open: No such file or directory
#| winnow characterize: --counts has no meaning with --cutoffs
#| winnow characterize: --counts is of runs, and --table has its own columns
#| winnow characterize: cut: damaged, and cut off at the end; skipped 0 blocks and 0 bytes of others, 0 gaps; its counts are of the rest
