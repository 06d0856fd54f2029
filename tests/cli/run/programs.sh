#: arguments
# the program gets its own arguments, whatever options of ours stood before them
winnow run -o t sh -c 'printf "<%s>" "$#" "$@"; echo' name one 'two words' -o --json 2> /dev/null
winnow run --output=t -v -- sh -c 'printf "<%s>" "$#" "$@"; echo' name 2> /dev/null
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
winnow run -o t sh -c './omp; ./busy; ./omp; ./omp; ./omp' 2> talk > out
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
# the report follows the program's output; the status is the program's
cp "$COMPILED/cli-binary.c.gcc" binary
echo end | winnow run ./binary 2> talk | tr -d '\0' > out || true
grep -c '^winnow run: binary.winnow: .*, libgomp by wrapping, complete' talk
echo end | winnow run -o t ./binary > /dev/null 2> talk
#= exit 3
#= stdout
#| 1
