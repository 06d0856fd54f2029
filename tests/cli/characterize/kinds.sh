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
#|   instructions are of different kinds: fib 10 3: x86_64; fib 11 3: simulation; what tells these runs apart may be how
#| nothing is said
#|   instructions are of different kinds: fib 10 3: x86_64; fib 11 3: simulation; what tells these runs apart may be how
#|   times of 2 of 3 runs are not the program's: it was run to be counted
#| nothing is said
#| 1
#= stderr
#| winnow characterize: count10: it was run to be counted, by winnow-x86_64: no time of a task is known; winnow record takes times
