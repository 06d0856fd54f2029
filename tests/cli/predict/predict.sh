#: threads
# predictions for several numbers of threads, after a self-check; each lies in its range, above its bounds
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 22 12 > log 2>&1 || fails log
winnow predict a.winnow --threads 4,1,2,2 --json > a.json 2>&1 || fails a.json
jq -c '[.schema, .recorded_threads, .runtime, .calibrated_threads, .is_plain, .withheld, [.predictions[].threads]]' a.json
jq -c '[.predictions[] | .low_ns <= .median_ns and .median_ns <= .high_ns and .median_ns >= .bound_work_ns and .median_ns >= .bound_span_ns and .median_ns >= .greedy_ns / 2]' a.json
jq -c '.replay_error < 0.25 and .replay_error > -0.25, .predictions[0].speed_up == 1' a.json
jq -c '[.predictions[] | .work_percent + .creation_percent + .runtime_lock_percent + .schedule_percent + .mutex_percent
	+ .sync_percent + .idle_percent + .idle_ready_percent + .serial_percent | . > 99.9 and . < 100.1]' a.json
# a time is null only where the range spans more than a factor of 3, or both outcomes of a race are likely; then the unknown is named
jq -c '[.predictions[] | (.ns == null) == (.high_ns > 3 * .low_ns or (.slow_percent // 0 | . >= 20 and . <= 80)) and (.ns == null) == (.unknown != null) and (.ns // .median_ns) == .median_ns]' a.json
# the same file gives the same numbers
winnow predict a.winnow --threads 1,2,4 --json | cmp - a.json
# as text: the head, the table, and what is not known
winnow predict a.winnow --threads 1,2 > text
sed 's/[0-9.]* [mu]\{0,1\}s/TIME/g; s/([+-][0-9.]* %)/(ERROR)/' text | sed "1d; 5q"
grep -c '^ *[12]\**  ' text
#= stdout
#| ["winnow.predict/1",1,"libgomp",null,false,null,[1,2,4]]
#| [true,true,true]
#| true
#| true
#| [true,true,true]
#| [true,true,true]
#| Self-check: the replay of this run takes TIME (ERROR).
#| Costs of libgomp: not calibrated, defaults of another machine; 'winnow
#| calibrate' before recording measures them.
#| Times are those of recorded runs: the cost of recording is not known.
#| 2
#: changes
# changes at places; a cut-off removes tasks
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 22 12 > log 2>&1 || fails log
place=$(winnow report --json a.winnow | jq -r '[.sites[] | select(.kind == "task")] | max_by(.grains) | .place')
winnow predict a.winnow --threads 1 --json > whole.json 2>&1 || fails whole.json
winnow predict a.winnow --threads 1 --json --cutoff "$place=depth:2" > cut.json
jq -c .changes cut.json | sed "s/\"[^\"]*=/\"PLACE=/"
jq -s -c '[.[0].predictions[0].creation_percent > .[1].predictions[0].creation_percent, .[1].predictions[0].low_ns < .[1].predictions[0].median_ns,
	.[1].predictions[0].median_ns < .[0].predictions[0].median_ns]' whole.json cut.json
# other limits remove the same tasks: those with no more than their own work, and those below them
for limit in depth:0 work:10s descendants:1000000; do
	winnow predict a.winnow --threads 1 --json --cutoff "$place=$limit" | jq -c .predictions[0].median_ns
done | sort -u | wc -l
winnow predict a.winnow --threads 1 --json --change "$place=faster:2" |
	jq -s -c '.[1].predictions[0].median_ns < .[0].predictions[0].median_ns' whole.json -
winnow predict a.winnow --threads 1 --change "$place=faster:2" | grep -c '^Change: .*=faster:2$'
# a binding changes nothing where each CPU has a thread, beside one memory; else it is refused
winnow predict a.winnow --threads 1 --json --change binding=close 2> why | jq -s -c '.[1].predictions[0].median_ns == .[0].predictions[0].median_ns' whole.json - > same ||
	grep -c 'with a binding is not recorded' why | sed 's/1/true/' > same
cat same
# what would have no effect is refused
for change in chunk:4 schedule:static lock:2 reduction merge; do
	winnow predict a.winnow --change "$place=$change" 2>&1 | sed "s/'[^']*=/'PLACE=/"
done
#= stdout
#| ["PLACE=depth:2"]
#| [true,true,true]
#| 1
#| true
#| 1
#| true
#| winnow predict: 'PLACE=chunk:4' has no effect: there is no loop with recorded chunks
#| winnow predict: 'PLACE=schedule:static' has no effect: there is no loop with recorded chunks
#| winnow predict: 'PLACE=lock:2' has no effect: no mutex was acquired in grains of it
#| winnow predict: 'PLACE=reduction' has no effect: no mutex was acquired in grains of it
#| winnow predict: 'PLACE=merge' has no effect: fewer than two regions were met there
#: refused
# what cannot be predicted is named
OMP_NUM_THREADS=1 winnow record -o loop.winnow "$COMPILED/bench-taskloop.c.gcc" 4000 --work=2000 > log 2>&1 || fails log
winnow predict loop.winnow --threads 2 2>&1 || echo $?
winnow predict loop.winnow --threads 2 --json 2> /dev/null || echo $?
head -c 3000 loop.winnow > short.winnow
winnow predict short.winnow > /dev/null 2> why && exit 1
wc -l < why
#= stdout
#| winnow predict: loop.winnow: no prediction: over 10 % of the work is in taskloops with as many tasks as threads: without grainsize or num_tasks, other numbers of threads have other tasks
#| 1
#| 1
#| 1
#: static
# static loops of gcc are a part of implicit tasks: other numbers of threads divide them by the recorded threads' times
for n in 1 2; do
	OMP_NUM_THREADS=$n winnow record -o $n.winnow "$COMPILED/bench-loops.c.gcc" static 20000 linear --work=500 > log 2>&1 || fails log
	winnow predict $n.winnow --threads 1,2,4 --json > $n.json 2>&1 || fails $n.json
done
# from one thread: evenly, or all in one thread's part
jq -c '.predictions | .[0].median_ns as $all | .[1:][] | [(.median_ns * .threads / $all * 10 | round), .low_ns < .median_ns, .high_ns > 0.95 * $all, .unknown]' 1.json
# from two: the second thread has three times the work of the first one, if none was disturbed; on four threads each half is even
jq -c '[.predictions[].median_ns] | (.[0] > .[1]), (.[2] / .[1] * 10 | round)' 2.json
# on one thread each may do all of the work, or the threads share it
jq -c '.predictions[0] | .low_ns < 0.9 * .median_ns' 2.json
#= stdout
#| [10,true,true,null]
#| [10,true,true,"how other numbers of threads divide the work of static loops"]
#| true
#| 5
#| true
#: usage
# wrong options are refused
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 4 > log 2>&1 || fails log
for threads in 0 1, 2,x 1-4 4..1 1..300 2000 ''; do
	winnow predict a.winnow --threads "$threads" 2>&1 || echo $?
done
winnow predict a.winnow --change nowhere.c:1=faster:2 2>&1 || echo $?
winnow predict a.winnow --change fib.c:1=better 2>&1 || echo $?
winnow predict a.winnow --change =faster:2 2>&1 || echo $?
for change in a= depth:1 fib.c:1=depth:-1 fib.c:1=work:20 fib.c:1=split:1 fib.c:1=mergers serial=split:0 nested=off binding=primary \
	"$(printf '\303\050=%01000d' 1)"; do
	winnow predict a.winnow --change "$change" > /dev/null 2> why && exit 1
	printf '%s %s\n' "$(wc -l < why)" "$(head -c 75 why)"
done
winnow predict nothing.winnow 2>&1 || echo $?
#= stdout
#| winnow predict: --threads '0': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: --threads '1,': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: --threads '2,x': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: --threads '1-4': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: --threads '4..1': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: --threads '1..300': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: --threads '2000': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: --threads '': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2
#| winnow predict: no grain of the recording is at 'nowhere.c:1': places are as 'winnow report' names them
#| 2
#| winnow predict: 'fib.c:1=better' is no change: winnow-predict(1) lists them
#| 2
#| winnow predict: '=faster:2' is no change: winnow-predict(1) lists them
#| 2
#| 1 winnow predict: 'a=' is no change: winnow-predict(1) lists them
#| 1 winnow predict: 'depth:1' is no change: winnow-predict(1) lists them
#| 1 winnow predict: 'fib.c:1=depth:-1' is no change: winnow-predict(1) lists th
#| 1 winnow predict: 'fib.c:1=work:20' is no change: winnow-predict(1) lists the
#| 1 winnow predict: 'fib.c:1=split:1' is no change: winnow-predict(1) lists the
#| 1 winnow predict: 'fib.c:1=mergers' is no change: winnow-predict(1) lists the
#| 1 winnow predict: 'serial=split:0': parts are a number from 2 to 1024
#| 1 winnow predict: 'nested=off' has no effect: no region inside another one ha
#| 1 winnow predict: 'binding=primary' is not predicted: only close, spread and 
#| 1 winnow predict: '\xc3(=0000000000000000000000000000000000000000000000000000
#| winnow predict: nothing.winnow: cannot open: No such file or directory
#| 1
#: curve
# the curve over threads: one point for each, the best one is the shortest, and pictures and tables have all
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 22 12 > log 2>&1 || fails log
OMP_NUM_THREADS=2 winnow record -o b.winnow "$COMPILED/bench-fib.c.gcc" 22 12 > log 2>&1 || fails log
OMP_NUM_THREADS=1 winnow record -o other.winnow "$COMPILED/bench-fib.c.gcc" 20 10 > log 2>&1 || fails log
winnow predict a.winnow a.winnow b.winnow --threads 1..32 --json --csv a.csv --svg a.svg > a.json 2>&1 || fails a.json
jq -c '[(.predictions | length), ([.predictions[].threads] == [range(1; 33)])]' a.json
jq -c '(.best_threads as $n | [.predictions[] | select(.threads == $n) | .median_ns][0]) == ([.predictions[].median_ns] | min)' a.json
jq -c '(.enough_threads as $n | [.predictions[] | select(.threads == $n) | .median_ns][0]) <= 1.05 * ([.predictions[].median_ns] | min), .enough_threads <= .best_threads' a.json
# measured points, and nothing where none was measured
jq -c '[[.measured[] | [.file, .threads, .recorded_ns >= 1, .ns >= 1]], [.predictions[].measured_ns | . != null][0:3]]' a.json
tr -d '\r' < a.csv | awk -F, 'NR == 1 { n = NF; print $1, $2, $5, $NF } NF != n { print "columns" } END { print NR }'
jq -r '.predictions[] | [.threads, .ns // "", .low_ns, .high_ns] | join(",")' a.json > points
tr -d '\r' < a.csv | sed 1d | cut -d, -f1-4 | cmp - points
xmllint --noout a.svg
# the same bytes again; a long table is thinned out as text
winnow predict a.winnow a.winnow b.winnow --threads 1..32 --svg - --json 2> /dev/null | sed -n '/<svg/,$p' | cmp - a.svg
winnow predict a.winnow --threads 1..32 | awk '/^     +[0-9]+\** / { printf "%d ", $1 } END { print "" }' | tr ' ' '\n' | grep -cxE '1|2|3|4|6|8|12|16|24|32'
# what is no measured time of the program is refused
winnow predict a.winnow other.winnow 2>&1 || echo $?
winnow predict a.winnow nothing.winnow 2>&1 || echo $?
#= stdout
#| [32,true]
#| true
#| true
#| true
#| [[["a.winnow",1,true,true],["b.winnow",2,true,true]],[true,true,false]]
#| threads ns measured_ns slow_ns
#| 33
#| 10
#| winnow predict: other.winnow: not a measured time of this program: another command was recorded
#| 1
#| winnow predict: nothing.winnow: cannot open: No such file or directory
#| 1
#: search
# the best value of a parameter: each predicted as alone, the best one the shortest, those around it at most 5 % longer
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 16 12 > log 2>&1 || fails log
OMP_NUM_THREADS=1 winnow record -o loop.winnow "$COMPILED/bench-loops.c.gcc" dynamic,1 3000 linear > log 2>&1 || fails log
place=$(winnow report --json loop.winnow | jq -r '[.sites[] | select(.kind == "chunk") | .place][0]')
winnow predict loop.winnow --threads 2 --search "$place=chunk" --json > chunk.json 2>&1 || fails chunk.json
jq -c '.search | [.parameter, .threads, [.values[].value]]' chunk.json
for n in 1 8 1024; do
	winnow predict loop.winnow --threads 2 --change "$place=chunk:$n" --json |
		jq -s -c --argjson n $n '.[1].predictions[0] as $p | .[0].search.values[] | select(.value == $n) | [.ns == $p.median_ns, .low_ns == $p.low_ns, .high_ns == $p.high_ns]' chunk.json -
done
winnow predict loop.winnow --threads 2 --json | jq -s -c '.[1].predictions[0].median_ns == .[0].search.without_ns' chunk.json -
jq -c '.search | ([.values[].ns] | min) as $best | if .best_value == null then .without_ns <= $best else
	.best_ns == $best and ([.values[] | select(.value >= $s.best_first and .value <= $s.best_last) | .ns] | max) <= 1.05 * $best end' --argjson s "$(jq .search chunk.json)" chunk.json
# the places of a recursion together; a cut-off at depth 0 leaves the task outside, and each depth more tasks
places=$(winnow report --json a.winnow | jq -r '[.sites[] | select(.kind == "task" and .grains > 1) | "--search " + .place + "=depth"] | join(" ")')
winnow predict a.winnow $places --threads 2 --json --svg a.svg --csv a.csv > depth.json 2>&1 || fails depth.json
jq -c '.search | [.parameter, .threads, .values[0].value, .values[0].tasks, ([.values[].tasks] | . == sort)]' depth.json
xmllint --noout a.svg
tr -d '\r' < a.csv | awk -F, 'NF != 6 { print }' | wc -l
winnow predict a.winnow $places --threads 2 --json | jq -c .search > again
jq -c .search depth.json | cmp - again
winnow predict a.winnow $places --threads 2 | grep -cE '^(Best|No cut-off) at .* on 2 threads'
winnow predict a.winnow --search threads --threads 1..4 --json | jq -c '[.search, [.predictions[].threads]]'
# one line for what is none
for search in depth "$place" "$place=depth" "$place=size" nowhere.c:1=chunk; do
	winnow predict loop.winnow --search "$search" 2>&1 | sed "s/'[^' =]*=/'PLACE=/; s/'[^'=]*:[0-9]*'/'PLACE'/"
done
winnow predict loop.winnow --search "$place=chunk" --search "$place=depth" 2>&1 | sed "s/'[^']*=/'PLACE=/"
winnow predict loop.winnow --search "$place=chunk" --threads 1,2 || echo $?
#= stdout
#| ["chunk",2,[1,2,4,8,16,32,64,128,256,512,1024]]
#| [true,true,true]
#| [true,true,true]
#| [true,true,true]
#| true
#| true
#| ["depth",2,0,1,true]
#| 0
#| 1
#| [null,[1,2,3,4]]
#| winnow predict: --search 'depth': PLACE=depth, work, descendants, chunk or split; or threads
#| winnow predict: --search 'PLACE': PLACE=depth, work, descendants, chunk or split; or threads
#| winnow predict: --search 'PLACE=depth': there are no tasks
#| winnow predict: --search 'PLACE=size': PLACE=depth, work, descendants, chunk or split; or threads
#| winnow predict: no grain of the recording is at 'PLACE': places are as 'winnow report' names them
#| winnow predict: --search 'PLACE=depth': one parameter at a time, and chunk comes before
#| 2
#= stderr
#| winnow predict: --threads '1,2': --search is for one number of threads
#: learn
# another recording shows how fast plain calls are, or how work grows with threads; one that shows neither is refused
OMP_NUM_THREADS=1 winnow record -o fine.winnow "$COMPILED/bench-fib.c.gcc" 22 14 > log 2>&1 || fails log
OMP_NUM_THREADS=1 winnow record -o coarse.winnow "$COMPILED/bench-fib.c.gcc" 22 4 > log 2>&1 || fails log
OMP_NUM_THREADS=2 winnow record -o two.winnow "$COMPILED/bench-fib.c.gcc" 22 14 > log 2>&1 || fails log
winnow report --json fine.winnow | jq -r '[.sites[] | select(.kind == "task" and .grains > 1) | "--cutoff=\(.place)=depth:4"] | .[]' > cutoffs
winnow predict fine.winnow --threads 1 --json $(cat cutoffs) --learn coarse.winnow > learned.json 2>&1 || fails learned.json
jq -c '.predictions[0] | .low_ns <= .median_ns and .median_ns <= .high_ns' learned.json
winnow predict fine.winnow --threads 1,2,4 --json --learn two.winnow | jq -c '[.predictions[].growth]'
winnow predict fine.winnow --threads 1,2 --json | jq -c '[.predictions[].growth]'
winnow predict fine.winnow --learn fine.winnow 2>&1 || echo $?
winnow predict fine.winnow --learn nothing.winnow 2>&1 || echo $?
#= stdout
#| true
#| ["none","recordings","recordings"]
#| ["none","unknown"]
#| winnow predict: fine.winnow: nothing to learn from: it has neither another number of threads nor fewer tasks
#| 1
#| winnow predict: nothing.winnow: cannot open: No such file or directory
#| 1
#: nested
# nested regions with several threads are predicted without nesting only, and not replayed
for try in 1 2 3; do # on a busy machine threads are off the CPU for too long
	OMP_MAX_ACTIVE_LEVELS=2 OMP_NUM_THREADS=2 winnow record -o a.winnow "$COMPILED/bench-nested.c.gcc" 1 2 3 --work=30000 > log 2>&1 || fails log
	winnow predict a.winnow --threads 2 --json --change nested=off > off.json 2>&1 && break
	[ $try != 3 ] || fails off.json
done
jq -c '[.replay_error, .replayed_ns, (.predictions[0] | .low_ns <= .median_ns and .median_ns <= .high_ns)]' off.json
winnow predict a.winnow --threads 2 2>&1 || echo $?
#= stdout
#| [null,null,true]
#| winnow predict: a.winnow: no prediction: nested regions with several threads are not modelled
#| 1
