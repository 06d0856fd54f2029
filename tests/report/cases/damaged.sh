#: damaged
# A damaged trace is reported on as far as it goes
"$MAKE_TRACE" damaged > damaged.winnow
winnow report damaged.winnow | head -n 2 | cut -c 1-40
winnow report damaged.winnow > /dev/null 2>&1
#= exit 3
#= stdout glob
#| ./fake --size 10: 4.00 ms on 1 thread, 3
#| *
#= stderr glob
#| winnow report: damaged.winnow: byte [0-9]*: damaged; skipped*; the report is of the rest
#: cut
# A file cut anywhere is reported on or refused, never a crash
"$MAKE_TRACE" loop > loop.winnow
for bytes in $(seq 1 3001 400000); do
	head -c "$bytes" loop.winnow > cut.winnow
	status=0
	winnow report cut.winnow > /dev/null 2> stderr || status=$?
	test "$(wc -l < stderr)" -le 1
	case $status in 0 | 1 | 3) ;; *) echo "$bytes: $status" ;; esac
done
#: header-cut
# A file that ends in its header is refused, with the place
"$MAKE_TRACE" loop | head -c 100 > cut.winnow
winnow report cut.winnow
#= exit 1
#= stderr glob
#| winnow report: cut.winnow: byte 100: the file ends at byte 100, inside the *-byte header; winnow record makes traces
#: empty-file
# An empty file is refused
: > empty.winnow
winnow report empty.winnow
#= exit 1
#= stderr glob
#| winnow report: empty.winnow: byte 0: the file is empty*
#: hostile
# Nothing of a hostile trace steers the terminal, and its JSON is valid
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" hostile > hostile.winnow
LC_ALL=C.UTF-8 winnow report hostile.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow dump hostile.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow report --json hostile.winnow | jq -r ".program.command | length"
#= stdout
#| 0
#| 0
#| 4
#: not-a-trace
# A file of something else is refused
echo hello > hello.txt
winnow report hello.txt
#= exit 1
#= stderr
#| winnow report: hello.txt: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#: folder
# A folder is refused
mkdir folder
winnow report folder
#= exit 1
#= stderr glob
#| winnow report: folder: a folder without recordings of a series, tTHREADS-rRUN.winnow
#: missing
# A file that does not exist is refused
winnow report missing.winnow
#= exit 1
#= stderr
#| winnow report: missing.winnow: cannot open: No such file or directory
#: no-operand
# Without a file there is nothing to report on
winnow report
#= exit 2
#= stderr glob
#| winnow report: missing operand*
#: no-event
# A trace without an event says so
"$MAKE_TRACE" empty > empty.winnow
winnow report empty.winnow
#= exit 1
#= stderr
#| winnow report: empty.winnow: the trace holds no event; the program met no OpenMP construct: winnow doctor PROG shows what can be recorded
#: no-event-left
# A trace that is cut off before its first event says where, and not that there was nothing
"$MAKE_TRACE" alone > whole.winnow
head -c 5000 whole.winnow > cut.winnow
winnow report cut.winnow
#= exit 1
#= stderr
#| winnow report: cut.winnow: byte 5000: cut off, and no event is left of it
