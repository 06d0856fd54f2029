#: rerun
# a program is run again with other settings: each has a prediction in its range, runs, and whether they agree
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 20 10 > log 2>&1 || fails log
winnow predict a.winnow --threads 1 > log 2>&1 || fails log
winnow prove a.winnow --threads 1..3 --repeat 3 --json 2> said > a.json || { cat said >&2; exit 1; }
sed 's/runs [^ ]* and/runs FIB and/' said
jq -c '[.schema, .recorded_threads, .runtime, .is_rerun, .outside_ns >= 0, .note]' a.json
jq -c '.proofs[] | [.setting, .kind, .threads, .runs]' a.json
jq -c '[.proofs[] | (.ns == null or (.low_ns <= .ns and .ns <= .high_ns)) and .measured_low_ns <= .measured_ns and .measured_ns <= .measured_high_ns]' a.json
jq -c '[.proofs[] | .is_held == (.low_ns <= .measured_ns and .measured_ns <= .high_ns)], .n_held == ([.proofs[1:][] | select(.is_held)] | length)' a.json
# the predictions are those of winnow predict
winnow predict a.winnow --threads 2,3 --json | jq -c '[.predictions[] | [.ns, .low_ns, .high_ns]]' > predicted
jq -c '[.proofs[1:][] | [.ns, .low_ns, .high_ns]]' a.json | cmp - predicted
# as text, and with the program given
winnow prove a.winnow --threads 2 --repeat 1 -- "$COMPILED/bench-fib.c.gcc" 20 10 2> said > text || cat said
sed -nE 's/^  (as recorded|OMP_NUM_THREADS=2) .*/\1/p; s/^[01] of 1 measured times .*/of 1/p' text > lines
[ "$(wc -l < lines)" = 3 ] || cat text
cat lines
# the value of a setting is not cut, however narrow the terminal is
COLUMNS=60 winnow prove a.winnow --threads 2 --repeat 2 2> /dev/null | sed -nE 's/^  (OMP_NUM_THREADS=2) .*/\1/p'
#= stdout
#| winnow prove: runs FIB and its arguments 9 times here, without its output: 3 settings, 3 runs each
#| ["winnow.prove/1",1,"libgomp",true,true,null]
#| ["as recorded","replay",1,3]
#| ["OMP_NUM_THREADS=2","threads",2,3]
#| ["OMP_NUM_THREADS=3","threads",3,3]
#| [true,true,true]
#| [true,true,true]
#| true
#| as recorded
#| OMP_NUM_THREADS=2
#| of 1
#| OMP_NUM_THREADS=2
#: settings
# schedules of loops that ask for one at run time, and binding; the environment of the recording is restored
OMP_SCHEDULE=dynamic,2 OMP_NUM_THREADS=2 winnow record -o r.winnow "$COMPILED/bench-loops.c.gcc" runtime 2000 linear > log 2>&1 || fails log
OMP_NUM_THREADS=2 winnow record -o d.winnow "$COMPILED/bench-loops.c.gcc" dynamic,2 2000 > log 2>&1 || fails log
winnow predict r.winnow --threads 2 > log 2>&1 || fails log
winnow predict d.winnow --threads 2 > log 2>&1 || fails log
winnow prove r.winnow --schedule static --schedule dynamic,64 --bind close --places cores --places '{0},{1}' --repeat 1 --json 2> /dev/null | jq -c '.proofs[] | [.setting, .kind, .threads]'
# every run has the recorded settings, and none of those of this shell
printf '#!/bin/sh\nenv | grep -E "^(OMP|GOMP|KMP)_" | sort | tr "\\n" " " >> %s/seen\necho >> %s/seen\n' "$PWD" "$PWD" > spy
chmod +x spy
OMP_DYNAMIC=true GOMP_SPINCOUNT=7 winnow prove r.winnow --schedule guided --repeat 1 -- ./spy > /dev/null 2>&1
cat seen
# what would have no effect, or is none, is refused in one line before anything runs
winnow prove d.winnow --schedule static || echo $?
for schedule in fast dynamic, dynamic,0 dynamic,x ''; do
	winnow prove r.winnow --schedule "$schedule" || echo $?
done
winnow prove r.winnow --bind nowhere || echo $?
winnow prove r.winnow --places 'cores(x)' || echo $?
winnow prove r.winnow --wait-policy lazy || echo $?
winnow prove r.winnow --wait-policy passive --repeat 1 --json 2> /dev/null | jq -c '.proofs[1] | [.setting, .kind]'
#= stdout
#| ["as recorded","replay",2]
#| ["OMP_SCHEDULE=static","schedule",2]
#| ["OMP_SCHEDULE=dynamic,64","schedule",2]
#| ["OMP_PROC_BIND=close","binding",2]
#| ["OMP_PLACES=cores","binding",2]
#| ["OMP_PLACES={0},{1}","binding",2]
#| OMP_NUM_THREADS=2 OMP_SCHEDULE=dynamic,2 
#| OMP_NUM_THREADS=2 OMP_SCHEDULE=dynamic,2 
#| OMP_NUM_THREADS=2 OMP_SCHEDULE=guided 
#| 1
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| ["OMP_WAIT_POLICY=passive","wait_policy"]
#= stderr
#| winnow prove: d.winnow: no recorded loop has schedule(runtime): OMP_SCHEDULE has no effect
#| winnow prove: --schedule 'fast': static, dynamic or guided, and a chunk size after a comma
#| winnow prove: --schedule 'dynamic,': static, dynamic or guided, and a chunk size after a comma
#| winnow prove: --schedule 'dynamic,0': static, dynamic or guided, and a chunk size after a comma
#| winnow prove: --schedule 'dynamic,x': static, dynamic or guided, and a chunk size after a comma
#| winnow prove: --schedule '': static, dynamic or guided, and a chunk size after a comma
#| winnow prove: --bind 'nowhere': false, true, primary, master, close or spread
#| winnow prove: --places 'cores(x)': threads, cores, ll_caches, numa_domains or sockets, as cores(4), or places such as {0},{1}, of at most 63 characters
#| winnow prove: --wait-policy 'lazy': active or passive
#: two-recordings
# a change of the source: predicted by the change, or by the finding that the new recording lacks
OMP_NUM_THREADS=1 winnow record -o old.winnow "$COMPILED/bench-fib.c.gcc" 18 18 > log 2>&1 || fails log
OMP_NUM_THREADS=1 winnow record -o new.winnow "$COMPILED/bench-fib.c.gcc" 18 4 > log 2>&1 || fails log
OMP_NUM_THREADS=2 winnow record -o two.winnow "$COMPILED/bench-fib.c.gcc" 18 4 > log 2>&1 || fails log
winnow predict old.winnow --threads 1 > log 2>&1 || fails log
place=$(winnow report --json old.winnow | jq -r '[.sites[] | select(.kind == "task")] | max_by(.grains) | .place')
winnow prove old.winnow new.winnow new.winnow --cutoff "$place=depth:4" --keep kept --json 2> /dev/null > change.json
jq -c '[.is_rerun, .outside_ns, .note], (.proofs[] | [.kind, .threads, .runs])' change.json
winnow predict old.winnow --threads 1 --cutoff "$place=depth:4" --json | jq -c '.predictions[0] | [.ns, .low_ns, .high_ns]' > predicted
jq -c '.proofs[1] | [.ns, .low_ns, .high_ns]' change.json | cmp - predicted
winnow prove old.winnow new.winnow --json > finding.json 2>&1 || fails finding.json
jq -c '.proofs[1].kind, (.note | test("^Predicted by the .*finding of old.winnow"))' finding.json
winnow report --json old.winnow | jq -s -c '.[0].advice as $a | .[1].proofs | [.[0].measured_ns - .[1].ns] | inside([$a[].gain_expected_ns])' - finding.json
cut -f 1-3 kept
# not the same threads; nothing predicts a saving; options of the other form
winnow prove old.winnow two.winnow || echo $?
winnow prove old.winnow new.winnow --threads 2 || echo $?
winnow prove old.winnow --change "$place=faster:2" || echo $?
winnow prove old.winnow new.winnow --change nowhere.c:1=faster:2 || echo $?
#= stdout
#| [false,null,null]
#| ["replay",1,1]
#| ["cutoff",1,2]
#| "finding"
#| true
#| true
#| winnow proofs 1
#| replay	libgomp	1
#| cutoff	libgomp	1
#| 1
#| 2
#| 2
#| 2
#= stderr
#| winnow prove: two.winnow: has 2 threads, and old.winnow has 1: they must be the same
#| winnow prove: OLD NEW: nothing is run, so --threads, --schedule, --bind, --places, --wait-policy and --repeat do not apply
#| winnow prove: --cutoff and --change are for changes of the source: winnow prove OLD NEW
#| winnow prove: no grain of the recording is at 'nowhere.c:1': places are as 'winnow report' names them
#: kept
# proofs are kept in a file, which refines predictions of their kind, and which is checked
OMP_NUM_THREADS=1 winnow record -o a.winnow "$COMPILED/bench-sparselu.c.gcc" 10 48 > log 2>&1 || fails log
winnow predict a.winnow --threads 1,2 --json > plain.json 2>&1 || fails plain.json
winnow prove a.winnow --threads 2,3 --repeat 3 --keep kept > /dev/null 2> said
! grep -q 'nothing added' said || { echo "the machine is busy"; exit 77; }
tail -1 said
head -1 kept; cut -f 1-3,8 kept | sed 1d
# fewer than three change nothing
winnow predict a.winnow --threads 1,2 --json --proofs kept | jq -s -c '.[0].predictions == .[1].predictions, (.[1].refinements[] | [.kind, .proofs, .bias])' plain.json -
# three that took twice as long: the bias is 3 / 7 of it, in logarithms
{ echo 'winnow proofs 1'; for i in 1 2 3; do printf 'threads\tlibgomp\t2\t1000\t900\t1100\t2000\tmade up\n'; done; } > made
winnow predict a.winnow --threads 1,2 --json --proofs made > refined.json
jq -c '.refinements[] | [.kind, .proofs, .held, (.bias * 1000 | round), (.spread_percent | round)]' refined.json
jq -s -c '[.[].predictions[1].median_ns] | (.[1] / .[0] * 100 | round)' plain.json refined.json
jq -s -c '[.[].predictions[0].median_ns] | .[0] == .[1]' plain.json refined.json
winnow predict a.winnow --threads 1,2 --proofs made | grep -c '^Refined by 3 proofs of other numbers of threads, of which 0 held: times x 1.35'
# damaged files are refused, and not written to
printf 'winnow proofs 1\nthreads\tlibgomp\t2\t1000\n' > damaged
cp damaged before
winnow predict a.winnow --proofs damaged || echo $?
winnow prove a.winnow --keep damaged || echo $?
cmp damaged before
winnow predict a.winnow --proofs a.winnow || echo $?
winnow predict a.winnow --proofs nothing || echo $?
#= stdout
#| winnow prove: kept: 2 proofs added
#| winnow proofs 1
#| threads	libgomp	2	OMP_NUM_THREADS=2
#| threads	libgomp	3	OMP_NUM_THREADS=3
#| true
#| ["threads",2,null]
#| ["threads",3,0,1346,49]
#| 135
#| true
#| 1
#| 1
#| 1
#| 1
#| 1
#= stderr
#| winnow predict: damaged: line 2 is not a proof; it is not used
#| winnow prove: damaged: line 2 is not a proof; it is not used
#| winnow predict: a.winnow: not a file of proofs; it is not used
#| winnow predict: nothing: No such file or directory
#: refused
# recordings that cannot be run again, and programs that end otherwise
OMP_NUM_THREADS=1 winnow record --no-command -o a.winnow "$COMPILED/bench-fib.c.gcc" 20 10 > log 2>&1 || fails log
winnow predict a.winnow --threads 1 > log 2>&1 || fails log
winnow prove a.winnow --threads 2 || echo $?
winnow prove a.winnow --threads 2 -- ./nothing || echo $?
winnow prove a.winnow --threads 2 --repeat 1 -- sh -c 'exit 3' || echo $?
winnow prove a.winnow --threads 1 || echo $?
winnow prove a.winnow --threads x || echo $?
winnow prove a.winnow --threads 2 --repeat 101 || echo $?
winnow prove nothing.winnow || echo $?
winnow prove a.winnow b.winnow -- sh || echo $?
# the program sets its number of threads, and another one has been compiled since
cp "$COMPILED/bench-fib.c.gcc" fib
OMP_NUM_THREADS=1 winnow record -o b.winnow ./fib 20 10 > /dev/null 2>&1
cp "$COMPILED/bench-loops.c.gcc" fib
winnow prove b.winnow 2>&1 | sed 's/fib [hi][as][a-z ]* since/fib CHANGED since/'
#= stdout
#| 1
#| 1
#| 1
#| 1
#| 2
#| 2
#| 1
#| 2
#| winnow prove: b.winnow: fib CHANGED since it was recorded; 'winnow prove OLD NEW' compares recordings before and after a change
#= stderr
#| winnow prove: a.winnow: has no command (it was recorded with --no-command, or imported); give it: winnow prove a.winnow -- PROG ARGS
#| winnow prove: ./nothing: no such program in this folder or on the PATH
#| winnow prove: runs sh and its arguments 2 times here, without its output: 2 settings, 1 run each
#| winnow prove: sh: ended with status 3, and with 0 when it was recorded: not measured
#| winnow prove: a.winnow: no setting differs from the recorded run; --threads names others
#| winnow prove: --threads 'x': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..8, of at most 63 numbers
#| winnow prove: --repeat: at most 100 runs of each setting
#| winnow prove: nothing.winnow: cannot open: No such file or directory
#| winnow prove: OLD NEW: nothing is run, so no program can be given
