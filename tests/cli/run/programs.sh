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
try --fail-if 'graims > 1' ./busy
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
#| winnow view: there is no display here; open /*/busy.html in a browser yourself
#| 1
#| 2
#= stderr
#| winnow run: --view is about one recording, not a series
