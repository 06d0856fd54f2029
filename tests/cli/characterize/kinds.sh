# Runs that were not counted alike, and times that are not the program's, are said
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "no engine for this machine"; exit 77; }
gcc -std=gnu17 -O1 -fopenmp -o fib "$PROGRAMS/../../../bench/programs/fib.c" || { echo "no OpenMP"; exit 77; }
export OMP_NUM_THREADS=2
for n in 10 12; do
	winnow count -o count$n ./fib $n 3 > /dev/null 2> /dev/null
done
WINNOW_COUNTERS=simulated:instructions=6 winnow record -o other ./fib 11 3 > /dev/null 2> /dev/null
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
