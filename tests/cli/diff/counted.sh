# Times of runs that were followed to be counted are no program's, and are not compared as such
[ "$(uname -m)" = x86_64 ] || { echo "no engine for this machine"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
export OMP_NUM_THREADS=2 COLUMNS=120
winnow count -o counts ./fib 12 3 > /dev/null 2> /dev/null
for run in one two; do
	winnow record -o $run ./fib 12 3 > /dev/null 2> /dev/null
done
told() {
	winnow "$@" > out || echo "exit $?"
	grep "no time" out || echo "nothing is said"
}
told diff one counts
told diff counts one
told diff one two
told diff one two counts
told report one --against counts
told report counts --against one
told report one --against two
told view one --against counts -o page.html
test ! -e page.html
#= stdout
#| B was followed instruction by instruction (winnow-x86_64) to be counted: no time of it is the program's.
#| A was followed instruction by instruction (winnow-x86_64) to be counted: no time of it is the program's.
#| nothing is said
#| exit 1
#| nothing is said
#| exit 1
#| nothing is said
#| exit 1
#| nothing is said
#| nothing is said
#| exit 1
#| nothing is said
#= stderr
#| winnow diff: counts: it was run to be counted, by winnow-x86_64: no time in it is the program's; a series is of times
#| winnow report: counts: it was run to be counted, by winnow-x86_64: no time in it can be compared
#| winnow report: counts: it was run to be counted, by winnow-x86_64: no time in it can be compared
#| winnow view: counts: it was run to be counted, by winnow-x86_64: no time in it can be compared
