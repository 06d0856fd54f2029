#: damaged
# A damaged recording is compared as far as it goes
"$MAKE_TRACE" damaged > damaged.winnow
"$MAKE_TRACE" loop > loop.winnow
winnow diff loop.winnow damaged.winnow > /dev/null
#= exit 3
#= stderr glob
#| winnow diff: damaged.winnow: *damaged*what is said is of the rest
#: cut
# A file cut anywhere is compared as far as it goes, or refused, never a crash
"$MAKE_TRACE" loop > loop.winnow
for bytes in $(seq 1 30001 400000); do
	head -c "$bytes" loop.winnow > cut.winnow
	for order in "loop.winnow cut.winnow" "cut.winnow loop.winnow"; do
		status=0
		winnow diff $order > /dev/null 2> stderr || status=$?
		test "$(wc -l < stderr)" -le 1
		case $status in 0 | 1 | 3) ;; *) echo "$bytes: $status" ;; esac
	done
done
#: hostile
# Nothing of a hostile trace steers the terminal, and its JSON is valid
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" hostile > hostile.winnow
"$MAKE_TRACE" loop > loop.winnow
LC_ALL=C.UTF-8 winnow diff hostile.winnow loop.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow diff --json loop.winnow hostile.winnow | jq -r .schema
#= stdout
#| 0
#| winnow.diff/1
#: not-a-trace
# What is no recording is refused, whichever it is
"$MAKE_TRACE" loop > loop.winnow
echo no trace > text
: > empty
for other in text empty missing .; do
	winnow diff loop.winnow $other && echo "$other"
	winnow diff $other loop.winnow && echo "$other"
done
true
#= stderr glob
#| winnow diff: text: *
#| winnow diff: text: *
#| winnow diff: empty: *
#| winnow diff: empty: *
#| winnow diff: missing: *
#| winnow diff: missing: *
#| winnow diff: .: *
#| winnow diff: .: *
#: one-operand
# Two recordings are needed
winnow diff a.winnow
#= exit 2
#= stderr glob
#| winnow diff: *
