#: threads
# predictions for several numbers of threads, after a self-check; each lies in its range, above its bounds
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 22 12 > /dev/null 2>&1 || exit 77
winnow predict a.winnow --threads 4,1,2,2 --json > a.json || { cat a.json >&2; exit 77; }
jq -c '[.schema, .recorded_threads, .runtime, .calibrated_threads, .is_plain, .withheld, [.predictions[].threads]]' a.json
jq -c '[.predictions[] | .low_ns <= .ns and .ns <= .high_ns and .ns >= .bound_work_ns and .ns >= .bound_span_ns and .ns >= .greedy_ns / 2]' a.json
jq -c '.replay_error < 0.25 and .replay_error > -0.25, .predictions[0].speed_up == 1' a.json
jq -c '[.predictions[] | .work_percent + .creation_percent + .runtime_lock_percent + .schedule_percent + .mutex_percent
	+ .sync_percent + .idle_percent + .idle_ready_percent + .serial_percent | . > 99.9 and . < 100.1]' a.json
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
#| Self-check: the replay of this run takes TIME (ERROR).
#| Costs of libgomp: not calibrated, defaults of another machine; 'winnow calibrate' before recording
#| measures them.
#| Times are those of recorded runs: the cost of recording is not known.
#| 2
#: changes
# changes at places; a cut-off removes tasks
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 22 12 > /dev/null 2>&1 || exit 77
place=$(winnow report --json a.winnow | jq -r '[.sites[] | select(.kind == "task")] | max_by(.grains) | .place')
winnow predict a.winnow --threads 1 --json > whole.json || exit 77
winnow predict a.winnow --threads 1 --json --cutoff "$place=depth:2" > cut.json
jq -c .changes cut.json | sed "s/\"[^\"]*=/\"PLACE=/"
jq -s -c '[.[0].predictions[0].creation_percent > .[1].predictions[0].creation_percent, .[1].predictions[0].low_ns < .[1].predictions[0].ns,
	.[1].predictions[0].ns < .[0].predictions[0].ns]' whole.json cut.json
# other limits remove the same tasks: those with no more than their own work, and those below them
for limit in depth:0 work:10s descendants:1000000; do
	winnow predict a.winnow --threads 1 --json --cutoff "$place=$limit" | jq -c .predictions[0].ns
done | sort -u | wc -l
winnow predict a.winnow --threads 1 --json --change "$place=faster:2" |
	jq -s -c '.[1].predictions[0].ns < .[0].predictions[0].ns' whole.json -
winnow predict a.winnow --threads 1 --change "$place=faster:2" | grep -c '^Change: .*=faster:2$'
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
#| winnow predict: 'PLACE=chunk:4' has no effect: there is no loop with recorded chunks
#| winnow predict: 'PLACE=schedule:static' has no effect: there is no loop with recorded chunks
#| winnow predict: 'PLACE=lock:2' has no effect: no mutex was acquired in grains of it
#| winnow predict: 'PLACE=reduction' has no effect: no mutex was acquired in grains of it
#| winnow predict: 'PLACE=merge' has no effect: fewer than two regions were met there
#: refused
# what cannot be predicted is named
OMP_NUM_THREADS=2 winnow record -o static.winnow "$COMPILED/bench-loops.c.gcc" static 1000 > /dev/null 2>&1 || exit 77
winnow predict static.winnow 2>&1 || echo $?
winnow predict static.winnow --json 2> /dev/null || echo $?
head -c 3000 static.winnow > short.winnow
winnow predict short.winnow > /dev/null 2> why && exit 1
wc -l < why
#= stdout
#| winnow predict: static.winnow: no prediction: work in static loops is not divided into grains
#| 1
#| 1
#| 1
#: usage
# wrong options are refused
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 4 > /dev/null 2>&1 || exit 77
for threads in 0 1, 2,x 1-4 2000 ''; do
	winnow predict a.winnow --threads "$threads" 2>&1 || echo $?
done
winnow predict a.winnow --change nowhere.c:1=faster:2 2>&1 || echo $?
winnow predict a.winnow --change fib.c:1=better 2>&1 || echo $?
winnow predict a.winnow --change =faster:2 2>&1 || echo $?
for change in a= depth:1 fib.c:1=depth:-1 fib.c:1=work:20 fib.c:1=split:1 fib.c:1=mergers serial=split:0 nested=off binding=close \
	"$(printf '\303\050=%01000d' 1)"; do
	winnow predict a.winnow --change "$change" > /dev/null 2> why && exit 1
	printf '%s %s\n' "$(wc -l < why)" "$(head -c 75 why)"
done
winnow predict nothing.winnow 2>&1 || echo $?
#= stdout
#| winnow predict: --threads '0': numbers from 1 to 1024, with commas between, at most 32
#| 2
#| winnow predict: --threads '1,': numbers from 1 to 1024, with commas between, at most 32
#| 2
#| winnow predict: --threads '2,x': numbers from 1 to 1024, with commas between, at most 32
#| 2
#| winnow predict: --threads '1-4': numbers from 1 to 1024, with commas between, at most 32
#| 2
#| winnow predict: --threads '2000': numbers from 1 to 1024, with commas between, at most 32
#| 2
#| winnow predict: --threads '': numbers from 1 to 1024, with commas between, at most 32
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
#| 1 winnow predict: 'binding=close' is not predicted: which memory and caches a
#| 1 winnow predict: '\xc3(=0000000000000000000000000000000000000000000000000000
#| winnow predict: nothing.winnow: cannot open: No such file or directory
#| 1
