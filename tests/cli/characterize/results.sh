#: counted
# What the recorder counts becomes properties: so many for each tick of the clock, of every task
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
export OMP_NUM_THREADS=2
export WINNOW_COUNTERS=simulated:instructions=6,mem_reads=2,mem_writes=3,stack_reads=1,stack_writes=1,footprint_addresses=1
for n in 16 18 20; do
	LD_PRELOAD=$SIMULATED winnow record -o $n.winnow ./fib $n 4 > /dev/null 2> /dev/null
done
# one of them without counters: it lacks what the others have
unset WINNOW_COUNTERS
winnow record -o plain.winnow ./fib 17 4 > /dev/null 2> /dev/null
winnow characterize --json --weight work plain.winnow 16.winnow 18.winnow 20.winnow > a.json
jq -c '[.cases[] | [.name, .left_out, .lacks]]' a.json
jq -c '[.cases[1:][].properties | (.memory_reads > 0), .memory_reads == 2 * .stack_reads, .memory_writes == 3 * .stack_writes, .instructions == 6 * .footprint] | all' a.json
jq -c '[.properties[] | select(.left_out) | .name]' a.json
#= stdout
#| [["fib 17 4","missing","footprint"],["fib 16 4",null,null],["fib 18 4",null,null],["fib 20 4",null,null]]
#| true
#| ["tasks","join_degree"]
#: counts
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
winnow characterize t16 k2 --counts c16 --counts k4 | grep -o "kinds more: .* grains have counts, the others have no match there"
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
#| kinds more: 62 of 68 grains have counts, the others have no match there
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
#| winnow characterize: --counts other: matches none of the runs: counts of another run: of './fib 17 4', not of './fib 18 4'
#| winnow characterize: --counts other: matches none of the runs: counts of another run: of './fib 17 4', not of './fib 16 4'
#| winnow characterize: --counts twice: has counts of the same run as c16; give only one of them
#| winnow characterize: t16: --counts t16: nothing was counted in it; winnow count counts
#| winnow characterize: head: byte 200: the file ends at byte 200, inside the 4096-byte header; winnow record makes traces
#| winnow characterize: text: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#| winnow characterize: missing: cannot open: No such file or directory
#| winnow characterize: --counts: not with --cutoffs
#| winnow characterize: --counts: only for runs; a table has its own columns
#| winnow characterize: cut: byte 393216: damaged, and cut off at the end; skipped 1 block and 0 bytes of others, 0 gaps; its counts are of the rest
#: kinds
# Runs that were not counted alike, and times that are not the program's, are said
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "no engine for this machine"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
export OMP_NUM_THREADS=2
for n in 10 12; do
	winnow count -o count$n ./fib $n 3 > /dev/null 2> /dev/null
done
LD_PRELOAD=$SIMULATED WINNOW_COUNTERS=simulated:instructions=6 winnow record -o other ./fib 11 3 > /dev/null 2> /dev/null
winnow record -o plain ./fib 12 3 > /dev/null 2> /dev/null
winnow characterize --json count10 other plain --counts count12 |
	jq -c '.cases[] | [.counted_by, .emulator, .counts.file]'
told() {
	COLUMNS=120 winnow characterize "$@" | grep "different kinds\|not the program's" || echo "nothing is said"
}
told count10 count12
told count10 other
told count10 plain --counts count12
told count10 count12 other --weight work
told other plain --weight time
winnow characterize --cutoffs 3=count10 4=plain || echo $?
#= stdout
#| ["winnow-x86_64","winnow-x86_64",null]
#| ["simulation",null,null]
#| ["winnow-x86_64",null,"count12"]
#| nothing is said
#|   instructions are of different kinds: fib 10 3: x86_64; fib 11 3: simulation; these runs may differ in how they were
#| nothing is said
#|   instructions are of different kinds: fib 10 3: x86_64; fib 11 3: simulation; these runs may differ in how they were
#|   times of 2 of 3 runs are not the program's: it was run to be counted
#| nothing is said
#| 1
#= stderr
#| winnow characterize: count10: it was counted by winnow-x86_64 and has no times of tasks; winnow record records them
#: runs
# Runs by their command lines or names; what was not measured is null, and said
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for run in loop tasks producer; do "$MAKE_TRACE" $run > $run.winnow; done
winnow characterize --weight work --clusters 2 --json loop.winnow t=tasks.winnow producer.winnow producer.winnow > a.json
jq -c '.schema, .analysis, .weight, [.cases[] | [.name, .file]]' a.json
jq -c '[.properties[] | [.name, .left_out]]' a.json
jq -c "$NUMBERS"' | .cases[1].properties' a.json
jq -c '.cases[2].scores == .cases[3].scores, .cases[2].cluster == .cases[3].cluster' a.json
winnow report --json tasks.winnow | jq -c '[.totals.span_ns, .totals.work_ns, .graph.grains]'
winnow characterize loop.winnow tasks.winnow | grep -c "winnow count measures"
winnow characterize --weight no loop.winnow tasks.winnow || echo $?
#= stdout
#| "winnow.characterize/1"
#| "done"
#| "work"
#| [["fake --size 10","loop.winnow"],["t","tasks.winnow"],["fake 10","producer.winnow"],["fake 10 (2)","producer.winnow"]]
#| [["tasks",null],["footprint","missing"],["memory_reads","missing"],["memory_writes","missing"],["stack_reads","missing"],["stack_writes","missing"],["instructions","missing"],["join_degree",null],["critical_path",null],["work",null]]
#| {"tasks":200,"footprint":null,"memory_reads":null,"memory_writes":null,"stack_reads":null,"stack_writes":null,"instructions":null,"join_degree":200,"critical_path":250000,"work":390800}
#| true
#| true
#| [250000,390800,200]
#| 8
#| 2
#= stderr
#| winnow characterize: --weight 'no': no run has it; all have work, and time
#: text
# A table as text: components, loadings, clusters, the dendrogram
cat > few.csv << END
name,size,speed,cost,colour
ant,1,10,1,7
bee,2,9,1.5,7
cat,20,30,10,7
dog,30,28,12,7
cow,500,20,100,7
owl,,20,3,7
END
winnow characterize --table few.csv --clusters 3
printf 'n,a\nx,1\ny,2\nz,2\n' > column.csv
winnow characterize --table column.csv | head -n 1
# names of columns are whole on a narrow terminal
printf 'n,tasks,footprint,memory_reads,memory_writes,stack_reads\na name of some length,1,2,3,4,5\ny,2,1,5,7,9\n' > narrow.csv
COLUMNS=80 winnow characterize --table narrow.csv | sed -n 's/^  row *//p' | head -n 2
#= stdout
#| 5 rows, 3 properties that differ: 2 components hold 100.0 % of the variance (85 % are wanted); 3
#| clusters.
#|
#| The table
#|   row  cluster  size  speed  cost  colour
#|   ant        1     1     10     1       7
#|   bee        1     2      9  1.50       7
#|   cat        2    20     30    10       7
#|   dog        2    30     28    12       7
#|   cow        3   500     20   100       7
#|   owl        -     -     20     3       7
#|
#| Components
#|               variance   so far
#|   PC1 kept      67.5 %   67.5 %  up with cost, size
#|   PC2 kept      32.5 %  100.0 %  down with speed
#|   PC3            0.0 %  100.0 %
#|
#| Loadings
#|   property     PC1     PC2
#|   size      +0.696  +0.144
#|   speed     +0.160  -0.986
#|   cost      +0.700  +0.082
#|
#| Scores
#|   row  cluster    PC1    PC2
#|   ant        1  -0.90  +0.83
#|   bee        1  -0.90  +0.93
#|   cat        2  -0.36  -1.16
#|   dog        2  -0.33  -0.94
#|   cow        3  +2.50  +0.34
#|
#| Clusters (ward.D2)
#|    1  2 rows: less speed -1.0 sd, cost -0.6 sd, size -0.5 sd
#|    2  2 rows: more speed +1.0 sd
#|    3  1 row: more size +1.8 sd, cost +1.8 sd
#|
#| Dendrogram
#|    3  cow --------------------------------------------------------------------------------------+
#|    1  ant ----+---------------------------------------------------------------------------------+
#|    1  bee ----+                                                                                 |
#|    2  cat -------+------------------------------------------------------------------------------+
#|    2  dog -------+
#|   the last two meet at a height of 2.83
#|
#| Cross-validation
#|   Hidden values are predicted best by 2 components. Mean square error with 0, 1, ...: 1.250, 33.402,
#|   0.625
#|   2 predictions had not converged after 1000 steps; the last ones count.
#|
#| Left out
#|   colour: does not differ
#|   owl: has no size
#| 3 rows, 1 property that differs: 1 component holds 100.0 % of the variance (85 % are wanted); 3
#| cluster  tasks  footprint  memory_reads
#| cluster  memory_writes  stack_reads
#: golden
# From a table to scores, clusters and errors as R has them
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
golden=$PROGRAMS/../../characterize/golden
block() { # FILE NAME: the numbers of a block, one in each line
	awk -v name="$2" '$1 == "block" { on = $2 == name; next } on { for (i = 1; i <= NF; i++) print $i }' "$1"
}
near() { # two lists of numbers, up to sign: how many differ by 1e-9
	paste "$1" "$2" | LC_ALL=C awk 'function abs(x) { return x < 0 ? -x : x }
		NF != 2 || abs(abs($1) - abs($2)) > 1e-9 { n++ } END { print n + 0, "of", NR, "differ" }'
}
for name in usarrests mtcars programs; do
	winnow characterize --table "$golden/$name.csv" --json > found.json
	echo "$name: $(jq -c '[.schema, .analysis, .kept, .cross_validation.best]' found.json)"
	for what in scores sdev loadings errors height.ward.D2; do
		block "$golden/$name.golden" "$what" > wanted
		case $what in
		scores) jq '.cases[].scores[]' found.json ;;
		sdev) jq '.components[].sd' found.json ;;
		loadings) jq '.properties[].loadings[]' found.json ;;
		errors) jq '.cross_validation.errors[]' found.json ;;
		*) jq '.tree.merges[].height' found.json ;;
		esac > found
		echo "$what: $(near found wanted | sed 's/^0 of [1-9][0-9]* differ/none differs/')"
	done
	block "$golden/$name.golden" merge.ward.D2 > wanted
	jq '.tree.merges[] | .a, .b' found.json > found
	cmp found wanted && echo "merges: the same"
	block "$golden/$name.golden" cut.ward.D2 > wanted
	jq '.cases[].cluster' found.json > found
	cmp found wanted && echo "clusters: the same"
	winnow characterize --table "$golden/$name.csv" --json --ward D | jq '.tree.merges[].height' > found
	block "$golden/$name.golden" height.ward.D > wanted
	echo "ward.D: $(near found wanted | sed 's/^0 of [1-9][0-9]* differ/none differs/')"
done
#= stdout
#| usarrests: ["winnow.characterize/1","done",2,2]
#| scores: none differs
#| sdev: none differs
#| loadings: none differs
#| errors: none differs
#| height.ward.D2: none differs
#| merges: the same
#| clusters: the same
#| ward.D: none differs
#| mtcars: ["winnow.characterize/1","done",3,3]
#| scores: none differs
#| sdev: none differs
#| loadings: none differs
#| errors: none differs
#| height.ward.D2: none differs
#| merges: the same
#| clusters: the same
#| ward.D: none differs
#| programs: ["winnow.characterize/1","done",6,3]
#| scores: none differs
#| sdev: none differs
#| loadings: none differs
#| errors: none differs
#| height.ward.D2: none differs
#| merges: the same
#| clusters: the same
#| ward.D: none differs
#: cutoffs
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
winnow characterize --cutoffs 2=fib-2.winnow | grep -c "One run shows no trend"
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
winnow characterize --cutoffs 1=fib-2.winnow 2=fib-4.winnow 3=sort-4096.winnow | tr '\n' ' ' | grep -o "1 of 3 runs .* than the cut-off\."
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
#| ./sort 60000 1024 4096: 3 cut-offs, from argument 2.
#| [null,[1,3]]
#| 2
#| 2
#| 2
#| 2
#| 2
#| 1
#| 1 of 3 runs is of another program, as sort: differences may have other causes than the cut-off.
#| 0
#= stderr
#| winnow characterize: the runs differ in the arguments 1 and 2: which is the cut-off? Give each as NUMBER=FILE
#| winnow characterize: the runs differ in no argument: what is the cut-off? Give each as NUMBER=FILE
#| winnow characterize: fib-2.winnow and fib-4.winnow have one cut-off, 2; leave one out
#| winnow characterize: some cut-offs are given as NUMBER=FILE and some are not
#| winnow characterize: x=fib-2.winnow: 'x' is no number; with --cutoffs, NAME of NAME=FILE is the cut-off
#: bad
# What is no table is one line
try() {
	status=0
	winnow characterize --table "$1" > out || status=$?
	echo "$status $(wc -c < out)"
}
: > empty.csv && try empty.csv
echo "n,a" > header.csv && try header.csv
printf 'n,a,b\nx,1\n' > fewer.csv && try fewer.csv
printf 'n,a\nx,1,2\n' > more.csv && try more.csv
printf 'n,a\nx,one\n' > word.csv && try word.csv
printf 'n,a\nx,inf\n' > infinite.csv && try infinite.csv
printf 'n,a,a\nx,1,2\n' > twice.csv && try twice.csv
printf 'n,a\n"x,1\n' > open.csv && try open.csv
printf 'n,a\n"x"y,1\n' > after.csv && try after.csv
printf 'n,a\0\nx,1\n' > zero.csv && try zero.csv
printf 'name\nx\n' > single.csv && try single.csv
printf 'n,a,\nx,1,2\n' > nameless.csv && try nameless.csv
mkdir folder.csv && try folder.csv
try none.csv
#= stdout
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#= stderr
#| winnow characterize: empty.csv: empty; names must be in its first line and first column
#| winnow characterize: header.csv: no line after the first; names must be in its first line and first column
#| winnow characterize: fewer.csv: line 2: fewer fields than the first line has
#| winnow characterize: more.csv: line 2: more fields than the first line has
#| winnow characterize: word.csv: line 2, column 'a': 'one' is no finite number; NA stands for a missing one
#| winnow characterize: infinite.csv: line 2, column 'a': 'inf' is no finite number; NA stands for a missing one
#| winnow characterize: twice.csv: line 1: two columns are called 'a'
#| winnow characterize: open.csv: line 2: a quote is not closed
#| winnow characterize: after.csv: line 2: text after a field in quotes
#| winnow characterize: zero.csv: line 1: a zero byte; this is no table of text
#| winnow characterize: single.csv: line 1: only one column; wanted are a name and numbers, with commas
#| winnow characterize: nameless.csv: line 1: a column has no name
#| winnow characterize: folder.csv: Is a directory
#| winnow characterize: none.csv: No such file or directory
#: damaged
# Damaged, foreign, empty: a line for each, and the right status
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for run in loop tasks damaged killed nothing; do "$MAKE_TRACE" $run > $run.winnow; done
winnow characterize --weight work loop.winnow damaged.winnow tasks.winnow --json > a.json || echo $?
jq '.cases | length' a.json
echo text > text
: > empty
winnow characterize loop.winnow text empty none.winnow nothing.winnow || echo $?
winnow characterize --cutoffs 1=damaged.winnow 2=loop.winnow --json > b.json || echo $?
jq -c "$NUMBERS"' | [.runs[].cutoff]' b.json
head -c 700 tasks.winnow > cut.winnow
winnow characterize --weight work cut.winnow loop.winnow > c.txt 2> c.err || test $? -le 3
test "$(wc -l < c.err)" -le 1 && echo "one line"
#= stdout
#| 3
#| 3
#| 1
#| 3
#| [1,2]
#| one line
#= stderr
#| winnow characterize: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the result is of the rest
#| winnow characterize: text: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#| winnow characterize: empty: byte 0: the file is empty, so not a Winnow trace; winnow record makes traces
#| winnow characterize: none.winnow: cannot open: No such file or directory
#| winnow characterize: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the result is of the rest
#: usage
# What the command line may not say
printf 'n,a,b\nx,1,2\ny,2,1\n' > t.csv
try() {
	status=0
	winnow characterize "$@" > out || status=$?
	echo "$status $(wc -c < out)"
}
try
try --table t.csv run.winnow
try --table t.csv --cutoffs
try --table t.csv --weight work
try --table t.csv --keep 0
try --table t.csv --keep 101%
try --table t.csv --keep much
try --table t.csv --ward D3
try --table t.csv --median
try --cutoffs --clusters 3 a.winnow
try --table t.csv --color red
try --table t.csv --clusters 0
try --table t.csv --clusters -1
try --table t.csv --clusters 2x
try --table t.csv --svg ''
try --table t.csv --csv ''
#= stdout
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#= stderr
#| winnow characterize: no runs given: RUN..., or --table FILE
#| winnow characterize: --table FILE: not together with runs
#| winnow characterize: --table FILE: not together with --cutoffs
#| winnow characterize: --weight: only for runs; a table has its own columns
#| winnow characterize: --keep '0': not a share above 0 and up to 1, such as 0.85
#| winnow characterize: --keep '101%': not a share above 0 and up to 1, such as 0.85
#| winnow characterize: --keep 'much': not a share above 0 and up to 1, such as 0.85
#| winnow characterize: option '--ward': 'D3' is not D2 or D; see winnow help characterize
#| winnow characterize: --median: only with --cutoffs
#| winnow characterize: --clusters: not with --cutoffs
#| winnow characterize: option '--color': 'red' is not auto, always or never; see winnow help characterize
#| winnow characterize: --clusters '0': not a whole number from 1 on
#| winnow characterize: --clusters '-1': not a whole number from 1 on
#| winnow characterize: --clusters '2x': not a whole number from 1 on
#| winnow characterize: --svg names no file
#| winnow characterize: --csv names no file
#: files
# Pictures are XML, names are safe in them, and the CSV can be read again
command -v xmllint > /dev/null || { echo "xmllint is missing"; exit 77; }
printf 'name,"a<b & ""c""",y,z\n"</svg>,1",1,2,9\n\033[31mred,3,4,1\nc,5,1,4\n\303\244\377,2,8,8\n' > odd.csv
winnow characterize --table odd.csv --keep 99% --svg out --csv out.csv > out.txt
for file in out-*.svg; do
	xmllint --noout "$file" && echo "$file"
done
grep -o "dashed: the 99 % wanted" out-scree.svg
head -n 2 out.csv | cut -c 1-40
LC_ALL=C grep -c "[[:cntrl:]]\[31m" out.txt out-*.svg || true
winnow characterize --table out.csv --json > again.json
test -s again.json && echo "read again"
mkdir full
winnow characterize --table odd.csv --svg full/none/x > /dev/null || echo $?
# more clusters than colours have marks that differ, and those without are told
awk 'BEGIN { print "n,a,b"; for (i = 0; i < 30; i++) printf "r%d,%d,%d\n", i, i * i, (i * 7) % 31 }' > many.csv
winnow characterize --table many.csv --clusters 24 --svg many > /dev/null
marks() {
	grep -o '<\(circle \|rect x="[0-9.]*" y="[0-9.]*" width="[0-9]\.[0-9]"\).*' "$1" |
		sed 's/.*\(<[a-z]*\).* fill="\([^"]*\)" stroke="\([^"]*\)".*/\1 \2 \3/' | sort -u | wc -l
}
grep -c '>cluster ' many-scores-1-2.svg
marks many-scores-1-2.svg
winnow characterize --table many.csv --clusters 26 --svg more > /dev/null
grep -o '>and 2 more<' more-scores-1-2.svg
grep -o 'stroke-dasharray="[26] 2"' more-dendrogram.svg | sort -u
#= stdout
#| out-dendrogram.svg
#| out-loadings.svg
#| out-scores-1-2.svg
#| out-scores-1-3.svg
#| out-scree.svg
#| dashed: the 99 % wanted
#| name,"a<b & ""c""",y,z,PC1,PC2,PC3,clust
#| "</svg>,1",1,2,9,-0.99549330138807068,-1
#| out.txt:0
#| out-dendrogram.svg:0
#| out-loadings.svg:0
#| out-scores-1-2.svg:0
#| out-scores-1-3.svg:0
#| out-scree.svg:0
#| read again
#| 1
#| 24
#| 24
#| >and 2 more<
#| stroke-dasharray="2 2"
#| stroke-dasharray="6 2"
#= stderr
#| winnow characterize: full/none/x-scree.svg: No such file or directory; nothing exported
#: degenerate
# What cannot be analysed is said, and what can is
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
short() {
	winnow characterize --table "$1" --json | jq -c '[.analysis, .kept, (.components | length), [.properties[].left_out], [.cases[] | [.left_out, .lacks, .cluster]], (.cross_validation.errors | length?)]'
}
printf 'n,a,b\nx,1,2\n' > one.csv
short one.csv
printf 'n,a,b\nx,1,2\ny,1,2\nz,1,2\n' > same.csv
short same.csv
printf 'n,a,b,c\nx,1,2,NA\ny,3,NA,NA\nz,4,1,\nu,7,8,NA\n' > missing.csv
short missing.csv
printf 'n,a,b,c,d,e\nx,1,2,3,4,1\ny,3,1,9,4,2\nz,4,1,1,0,7\n' > wide.csv
short wide.csv
winnow characterize --table wide.csv --keep 1 | grep -c "clusters are meaningless"
printf 'n,a,b\nx,1,2\ny,2,1\n' > two.csv
short two.csv
COLUMNS=120 winnow characterize --table two.csv --clusters 1 | grep -o "1 clusters*\.$"
printf 'n,a\nx,1\ny,2\nz,2\n' > column.csv
short column.csv
printf 'n,a,b\nx,1e300,2\ny,-1e300,1\nz,1e308,5\n' > huge.csv
short huge.csv
printf 'n,a,b\nx,0,0\ny,0,0\nz,0,1\nu,1,0\n' > tied.csv
short tied.csv
winnow characterize --table one.csv --svg x > /dev/null || echo $?
#= stdout
#| ["too few cases",null,0,[null,null],[[null,null,null]],0]
#| ["nothing differs",null,0,["constant","constant"],[[null,null,null],[null,null,null],[null,null,null]],0]
#| ["done",1,2,[null,null,"missing"],[[null,null,1],["missing","b",null],[null,null,2],[null,null,3]],2]
#| ["done",2,2,[null,null,null,null,null],[[null,null,1],[null,null,2],[null,null,3]],2]
#| 1
#| ["done",1,1,[null,null],[[null,null,1],[null,null,2]],1]
#| 1 cluster.
#| ["done",1,1,[null],[[null,null,1],[null,null,2],[null,null,3]],1]
#| ["done",1,2,[null,null],[[null,null,1],[null,null,2],[null,null,3]],2]
#| ["done",2,2,[null,null],[[null,null,1],[null,null,2],[null,null,3],[null,null,4]],2]
#| 1
#= stderr
#| winnow characterize: --svg: nothing was analysed; no picture written
