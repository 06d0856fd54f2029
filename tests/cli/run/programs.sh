#: arguments
# the program gets its own arguments, whatever options of ours stood before them
winnow run -k -o t sh -c 'printf "<%s>" "$#" "$@"; echo' name one 'two words' -o --json 2> /dev/null
winnow run -k --output=t -v -- sh -c 'printf "<%s>" "$#" "$@"; echo' name 2> /dev/null
#= stdout
#| <4><one><two words><-o><--json>
#| <0>
#: missing-program
# run of a missing program is a usage error
winnow run ./nothing
#= exit 2
#= stderr
#| winnow run: ./nothing: no such program
#: most
# of several processes the report is on the one with the most time in parallel regions
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-busy.c.gcc" busy
winnow run --report - -o t sh -c './omp; ./busy; ./omp; ./omp; ./omp' 2> talk > out
head -n 6 out | grep -o -e '^sum 55' -e '^\./busy:'
grep -c '^winnow run: ' talk
sed -n 's/t\.[0-9]*/t.PID/g; s/([^)]*)/(SO MUCH)/g; 2p' talk
winnow run -o u sh -c './busy; ./omp; exit 5' 2>&1 > /dev/null | sed -n 's/u\.[0-9]*/u.PID/g; s/([^)]*)/(SO MUCH)/g; 2p'
winnow record -o u sh -c './busy; ./omp' 2>&1 > /dev/null | grep -c ''
#= stdout
#| sum 55
#| sum 55
#| sum 55
#| sum 55
#| ./busy:
#| 2
#| winnow run: t.PID: the report is on this process, with the most time in parallel regions (SO MUCH); 'winnow report FILE' shows the others: t, t.PID, t.PID, ...
#| winnow run: u: the report is on this process, with the most time in parallel regions (SO MUCH); 'winnow report FILE' shows the other: u.PID
#| 1
#: no-openmp
# what cannot be recorded gives no report, and keeps its exit status
winnow run sh -c 'echo ran; exit 4'
#= exit 4
#= stdout
#| ran
#= stderr glob
#| winnow run: nothing recorded: *
#: recorded
# the report goes to standard error, so that the program's output can be piped; the status is the program's
cp "$COMPILED/cli-binary.c.gcc" binary
echo end | ./binary > alone 2> none || true
echo end | winnow run ./binary > out 2> talk || true
cmp alone out
grep -c '^winnow run: binary.winnow: .*, libgomp by wrapping, complete' talk
grep -c '^Where the time went' talk
echo end | winnow run -o t ./binary > /dev/null 2> talk
#= exit 3
#= stdout
#| 1
#| 1
#: report-file
# --report writes the report to a file, or to standard output; one that cannot be written is refused before the run
cp "$COMPILED/cli-busy.c.gcc" busy
winnow run --report report.txt ./busy > out 2> talk
grep -c '^Where the time went' report.txt
! grep 'Where the time went' talk out
winnow run --report - ./busy 2> talk | grep -c '^Where the time went'
! grep 'Where the time went' talk
for file in no/report.txt busy.winnow folder/ /proc/self/report; do
	winnow run --report "$file" ./busy || echo "$?"
done
# nothing is left where there is no report
winnow run --report none.txt true 2> talk || echo "$?"
ls *.txt
#= stdout
#| 1
#| 1
#| 2
#| 2
#| 2
#| 2
#| 125
#| report.txt
#= stderr
#| winnow run: --report no/report.txt: No such file or directory; the program is not run
#| winnow run: --report busy.winnow: is a recording; the program is not run
#| winnow run: --report folder/: Is a directory; the program is not run
#| winnow run: --report /proc/self/report: No such file or directory; the program is not run
#: fail-if
# conditions give the status 4, unless the program has one of its own; a wrong one is refused before the run
cp "$COMPILED/cli-busy.c.gcc" busy
try() {
	code=0
	winnow run --report - "$@" > out 2> talk || code=$?
	echo "$code"
}
try --fail-if 'grains > 1e9' ./busy
try --fail-if 'threads >= 1' ./busy
grep -c "fail-if 'threads >= 1' holds: threads is" talk
try --fail-if 'threads >= 1' sh -c './busy; exit 7'
try --fail-if 'grains >' ./busy
cat out talk
try --fail-if 'graims > 1' sh -c 'touch has-run; ./busy'
cat out talk
try --fail-if 'sum(wrok_ns) > 1' sh -c 'touch has-run; ./busy'
cat out talk
try --fail-if 'grains > 1' --fail-if 'nosuch > 3' sh -c 'touch has-run; ./busy'
test ! -e has-run
try --fail-if 'threads >= 1' true
try --fail-if 'threads >= 1' --threads 1,2 ./busy
cat talk
#= stdout
#| 0
#| 4
#| 1
#| 7
#| 2
#| winnow run: --fail-if 'grains >': column 9: expected a value, found the end; see winnow help run
#| 2
#| winnow run: --fail-if 'graims > 1': column 1: unknown name 'graims'; did you mean 'grains'?
#| 2
#| winnow run: --fail-if 'sum(wrok_ns) > 1': column 5: unknown name 'wrok_ns'; did you mean 'work_ns'?
#| 2
#| 125
#| 2
#| winnow run: --fail-if is about one recording, not a series
#: view
# --view writes the page and opens it in a browser, where there is a display and a browser
cp "$COMPILED/cli-busy.c.gcc" busy
mkdir bin
cat > bin/xdg-open << 'END'
#!/bin/sh
echo "$*" > opened.part
mv opened.part opened
END
chmod +x bin/xdg-open
unset DISPLAY WAYLAND_DISPLAY SSH_CONNECTION SSH_TTY
winnow run --view ./busy > out 2> talk
grep 'display' talk
grep -c '<title>Winnow' busy.html
DISPLAY=:0 PATH=$PWD/bin:$PATH winnow run --view ./busy > out 2> talk
for i in $(seq 100); do
	[ ! -e opened ] || break
	sleep 0.1
done
test "$(cat opened)" = "$PWD/busy.html"
winnow run --view --threads 1,2 ./busy || echo "$?"
#= stdout glob
#| winnow view: no display available; open /*/busy.html in a browser yourself
#| 1
#| 2
#= stderr
#| winnow run: --view is about one recording, not a series

#: threads-list
# --threads takes numbers and ranges, and says in one line what is wrong
cp "$COMPILED/cli-omp.c.gcc" omp
for list in '' x 0 1,,2 1, 4..2 1..99 2,1..3 70000 '1 2' -1; do
	winnow run --threads "$list" ./omp || echo "status $?"
done
winnow run --repeat 2 ./omp || echo "status $?"
winnow run --threads 1 --repeat 0 ./omp || echo "status $?"
winnow run --threads 1..3 --repeat 4000 ./omp || echo "status $?"
winnow run --threads 1,2 ./no-such-program || echo "status $?"
ls
#= stdout
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| status 2
#| omp
#= stderr
#| winnow run: --threads '': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads 'x': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads '0': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads '1,,2': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads '1,': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads '4..2': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads '1..99': more than 64 numbers
#| winnow run: --threads '2,1..3': a number is listed twice
#| winnow run: --threads '70000': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads '1 2': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads '-1': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| winnow run: --threads: not given; --repeat needs it
#| winnow run: option '--repeat': 0 is too few; see winnow help run
#| winnow run: --repeat: more than 10000 runs
#| winnow run: ./no-such-program: no such program
#: series
# each number of threads is recorded in each round, even rounds in opposite order, and reported as a series
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
cp "$COMPILED/cli-scaled.c.gcc" omp
winnow run --report - --threads 2,1 --repeat 2 ./omp > out 2> talk
sed -n 's/^winnow run: \(run .*\)/\1/p' talk
tail -n 1 talk
ls omp.series
grep -c '^Speed-up by threads' out
winnow report omp.series --json | jq -c '[.runs[] | [.threads_asked, .threads, .complete, .exit_status]],
	[.points[] | [.threads, .runs]], .same_command'
# the next series takes its place, and another file in the folder stays
echo mine > omp.series/notes
winnow record --threads 1 ./omp 2> /dev/null
ls omp.series
#= stdout
#| run 1 of 4: 1 thread
#| run 2 of 4: 2 threads
#| run 3 of 4: 2 threads
#| run 4 of 4: 1 thread
#| winnow run: omp.series: 4 recordings; 'winnow report omp.series' shows how the program scales
#| t1-r1.winnow
#| t1-r2.winnow
#| t2-r1.winnow
#| t2-r2.winnow
#| 1
#| [[1,1,true,0],[1,1,true,0],[2,2,true,0],[2,2,true,0]]
#| [[1,2],[2,2]]
#| true
#| sum 4950
#| notes
#| t1-r1.winnow
#| t1-r1.winnow.old
#| t1-r2.winnow.old
#| t2-r1.winnow.old
#| t2-r2.winnow.old
#: series-threads-set
# a program that sets the number of threads itself runs on its own, and the report says so
cp "$COMPILED/cli-binary.c.gcc" binary
winnow record -o folder --threads 1,2 ./binary < /dev/null > out 2> talk || echo "status $?"
winnow report folder | tr '\n' ' ' | grep -o '1 of 2 runs had another number of threads than OMP_NUM_THREADS'
winnow report folder | grep -c 'no speed-up is known'
#= stdout
#| status 3
#| 1 of 2 runs had another number of threads than OMP_NUM_THREADS
#| 1
#: series-input
# a file is read by each run; a pipe is named
cp "$COMPILED/cli-binary.c.gcc" binary
echo input > input
winnow record --threads 1,2 ./binary < input 2> /dev/null > out || true
tr -d '\0' < out | grep -a -o input | wc -l
echo piped | winnow record --threads 1,2 ./binary 2>&1 > /dev/null | grep -c 'standard input is a pipe'
#= stdout
#| 2
#| 1
#: series-stopped
# an interrupt ends the series, and keeps the recordings so far
cp "$COMPILED/cli-omp.c.gcc" omp
cat > child <<'END'
#!/bin/sh
./omp
[ "$OMP_NUM_THREADS" = 1 ] || kill -INT "$PPID"
END
chmod +x child
winnow record -k --threads 1..3 ./child 2> talk > /dev/null
sed -n '/stopped/p' talk
ls child.series
#= stdout
#| winnow record: stopped after 2 of 3 runs
#| t1-r1.winnow
#| t2-r1.winnow
#: series-terminal
# on a terminal the verdict of a series is its last line
command -v script > /dev/null || { echo "script is missing"; exit 77; }
cp "$COMPILED/cli-scaled.c.gcc" omp
winnow record --threads 1,2 ./omp > out 2>&1
export NO_COLOR=1 COLUMNS=80 WINNOW_PROGRESS=never
winnow report omp.series > piped
script -qec "winnow report --no-pager omp.series" /dev/null < /dev/null | tr -d '\r' > typed
verdict=$(grep -E '^(Speed-up [0-9]|All runs)' piped)
[ -n "$verdict" ]
tail -n 3 typed | grep -c -F -x "$verdict"
grep -c -F -x "$verdict" typed
grep -n -F -x "$verdict" piped | grep -c '^[23]:'
#= stdout
#| 1
#| 1
#| 1
#: series-status
# the exit status is that of the first run that failed, and the others go on
cat > child <<'END'
#!/bin/sh
exit $((OMP_NUM_THREADS - 1))
END
chmod +x child
winnow record -k --threads 1..3 ./child 2> talk || echo "status $?"
grep -c 'run 3 of 3' talk
#= stdout
#| status 1
#| 1
#: series-folder
# what is not a series is named
mkdir empty
winnow report empty || echo "status $?"
echo text > file
winnow record -o file --threads 1 true || echo "status $?"
winnow report --fail-if 'work_ns > 1' empty || echo "status $?"
#= stdout
#| status 1
#| status 2
#| status 2
#= stderr
#| winnow report: empty: a folder without recordings of a series, tTHREADS-rRUN.winnow
#| winnow record: file: cannot be created as the folder of the series: Not a directory
#| winnow report: --fail-if is about one recording, not a series
