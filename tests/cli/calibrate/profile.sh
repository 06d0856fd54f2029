#: measured
# a profile is measured, added to recordings, and what it says is taken out of the times
export XDG_CACHE_HOME="$PWD/cache"
for try in 1 2 3 4 5 6 7 8 9 10; do
	winnow calibrate --runtime libgomp --rounds 3 > said 2> why && break
	grep -q 'too busy' why || { cat why >&2; exit 1; }
done
grep -q '^  profile: ' said || { cat why >&2; exit 77; }
test "$(ls cache/winnow | wc -l)" = 1
head -n 1 cache/winnow/*.calibration
winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2>&1 || exit 77
winnow check a.winnow > /dev/null
winnow report --json a.winnow | jq -c '.totals | [.recording_ns > 0, .perturbation_percent > 0, .below_resolution != null]'
# not where counters are read, nor where the profile is of another build or machine
sed -i 's/^cpu .*/cpu another/' cache/winnow/*.calibration
winnow record -o b.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2>&1
winnow report --json b.winnow | jq -c '.totals.recording_ns'
winnow diff a.winnow b.winnow | grep -c 'has a calibration'
winnow diff --json a.winnow b.winnow | jq -c '[.fidelity[] | select(.note | test("cost of recording")) | .run]'
winnow doctor | grep -c 'calibration   1 profile of this recorder'
# a damaged one is one line, and is ignored
echo piece > "$(echo cache/winnow/*.calibration)"
winnow record -o c.winnow "$COMPILED/bench-fib.c.gcc" 12 12 2>&1 > /dev/null | grep -c 'not used'
winnow report --json c.winnow | jq -c '.totals.recording_ns'
#= stdout
#| winnow-calibration 1
#| [true,true,true]
#| null
#| 1
#| ["a"]
#| 1
#| 1
#| null
#: first
# winnow run measures a profile when it first needs one, which settings for the program do not change; record does not
export XDG_CACHE_HOME="$PWD/cache"
export OMP_NUM_THREADS=2 OMP_THREAD_LIMIT=2 GOMP_SPINCOUNT=0
unset WINNOW_CALIBRATE
winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2>&1 || exit 77
test ! -e cache
WINNOW_CALIBRATE=never winnow run -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2>&1
PMI_RANK=0 winnow run -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2>&1
test ! -e cache
for try in 1 2 3 4 5 6 7 8 9 10; do # on a busy machine runs may differ too much
	winnow run -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2> talk
	test -z "$(ls cache/winnow)" || break
done
test -n "$(ls cache/winnow)" || exit 77
grep -c 'measured once what recording costs' talk
winnow report --json a.winnow | jq -c '.totals | [.recording_ns > 0, .perturbation_percent > 0]'
winnow run -o b.winnow "$COMPILED/bench-fib.c.gcc" 12 12 2>&1 > /dev/null | grep -c 'measured once' || true
ls cache/winnow | wc -l
#= stdout
#| 1
#| [true,true]
#| 0
#| 1
#: places
# without a place for the profile, or where it cannot be written, that is said and nothing else changes
unset HOME XDG_CACHE_HOME
winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 8 8 > /dev/null 2>&1
winnow report --json a.winnow | jq -c '.totals.recording_ns'
try() {
	for n in 1 2 3 4 5 6 7 8 9 10; do
		winnow calibrate --runtime libgomp --rounds 3 > /dev/null 2> why && exit 1
		grep -q 'too busy' why || break
	done
	grep -q 'too busy' why && exit 77
	grep -v 'left out' why | sed 's/.*: //'
}
try
touch file
XDG_CACHE_HOME="$PWD/file" try
#= stdout
#| null
#| no place for the profile
#| Not a directory
#: usage
# wrong options are refused
winnow calibrate --runtime other 2>&1 || echo $?
winnow calibrate --rounds 2 2>&1 || echo $?
# and a program for a runtime that was not built is named
mkdir alone
cp "$(dirname "$(command -v winnow)")"/winnow "$(dirname "$(command -v winnow)")"/libwinnow-record.so alone
alone/winnow calibrate --runtime libgomp 2>&1 | sed "s|$PWD|.|" || true
#= stdout
#| winnow calibrate: --runtime: libgomp or libomp
#| 2
#| winnow calibrate: --rounds: 3 to 64
#| 2
#| winnow calibrate: libgomp: the program for it was not built: ./alone/winnow-calibrate-libgomp
#: no-home
# a home that does not exist is not made
cp "$COMPILED/cli-busy.c.gcc" busy
unset WINNOW_CALIBRATE XDG_CACHE_HOME
HOME=$PWD/nobody winnow run ./busy > out 2>&1
ls -d nobody 2> /dev/null || echo none
env -u HOME winnow run ./busy > out 2>&1
grep -c '^Where the time went' out
#= stdout
#| none
#| 1
