#: measured
# a profile is measured, added to recordings, and what it says is taken out of the times
export XDG_CACHE_HOME="$PWD/cache"
touch before
for try in 1 2 3 4 5 6 7 8 9 10; do
	winnow calibrate --runtime libgomp --rounds 3 > said 2> why && break
	grep -q 'too busy' why || { cat why >&2; exit 1; }
done
grep -q '^  profile: ' said || { tail -n 1 why; exit 77; }
test "$(ls cache/winnow | wc -l)" = 1
test -z "$(find /tmp -maxdepth 2 -path '/tmp/winnow-calibrate-*/trace.winnow.old' -newer before 2> /dev/null)"
head -n 1 cache/winnow/*.calibration
winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > log 2>&1 || fails log
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
#: spread
# how much the speeds of CPUs differ is the machine's: its profiles of all runtimes have the largest that one of them found
export XDG_CACHE_HOME="$PWD/cache"
for try in 1 2 3; do
	winnow calibrate --runtime libgomp --rounds 3 > said 2> why && break
	grep -q 'too busy' why || { cat why >&2; exit 1; }
done
grep -q '^  profile: ' said || { tail -n 1 why; exit 77; }
own=$(echo cache/winnow/*.calibration)
# on a virtual machine, whose CPUs share cores with those of others, it is at least a quarter
least=1000
! grep -q '^flags.* hypervisor' /proc/cpuinfo || least=1250
spread=$(sed -n 's/^spread //p' "$own")
test "${spread:-$least}" -ge $least || echo "a spread of $spread"
copy() { # HASH SPREAD
	sed "/^spread /d; s/^\\(runtime .*\\) .*/\\1 $1/; /^entry /a spread $2" "$own" > "${own%-*}-$1.calibration"
}
copy 0123456789abcdef 9000
copy fedcba9876543210 1001
for try in 1 2 3; do
	winnow calibrate --runtime libgomp --rounds 3 > said 2> why && break
done
grep -q '^  profile: ' said || { tail -n 1 why; exit 77; }
grep -h '^spread' cache/winnow/*.calibration
grep -c 'by a factor of 9.00' said
#= stdout
#| spread 9000
#| spread 9000
#| spread 9000
#| 1
#: raised
# a recording that finds a larger difference than calibration raises it, up to 1.25; smaller ones and damaged profiles change nothing
export XDG_CACHE_HOME="$PWD/cache"
for try in 1 2 3; do
	winnow calibrate --runtime libgomp --rounds 3 > said 2> why && break
	grep -q 'too busy' why || { cat why >&2; exit 1; }
done
grep -q '^  profile: ' said || { tail -n 1 why; exit 77; }
sed -i '/^spread /d; /^entry /a spread 1000' cache/winnow/*.calibration
for try in 1 2 3 4 5 6 7 8; do
	OMP_NUM_THREADS=2 winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 25 12 > log 2>&1 || fails log
	least=$(winnow dump a.winnow | awk '/^cpu-speed / && $3 < 0.9 { most = 1000 / $3 > most ? 1000 / $3 : most } END { print int(most > 1250 ? 1250 : most) - 2 }')
	spread=$(sed -n 's/^spread //p' cache/winnow/*.calibration | sort -n | tail -n 1)
	test "$spread" -ge "$least" || echo "a spread of $spread, and $least was seen"
	test "$spread" -le 1250 || echo "a spread of $spread"
done
#: first
# winnow run measures a profile when it first needs one, which settings for the program do not change; record does not
export XDG_CACHE_HOME="$PWD/cache"
export OMP_NUM_THREADS=2 OMP_THREAD_LIMIT=2 GOMP_SPINCOUNT=0
unset WINNOW_CALIBRATE
winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > log 2>&1 || fails log
test ! -e cache
WINNOW_CALIBRATE=never winnow run -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2>&1
PMI_RANK=0 winnow run -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2>&1
test ! -e cache
for try in 1 2 3 4 5 6 7 8 9 10; do # on a busy machine runs may differ too much
	winnow run -o a.winnow "$COMPILED/bench-fib.c.gcc" 12 12 > /dev/null 2> talk
	test -z "$(ls cache/winnow)" || break
done
test -n "$(ls cache/winnow)" || { echo "ten runs differed too much: the machine is too busy to measure a profile"; exit 77; }
grep -c 'measured the costs of recording' talk
winnow report --json a.winnow | jq -c '.totals | [.recording_ns > 0, .perturbation_percent > 0]'
winnow run -o b.winnow "$COMPILED/bench-fib.c.gcc" 12 12 2>&1 > /dev/null | grep -c 'measured the costs' || true
ls cache/winnow | wc -l
#= stdout
#| 1
#| [true,true]
#| 0
#| 1
#: places
# without a place for the profile, or where it cannot be written, nothing is measured and nothing else changes
unset HOME XDG_CACHE_HOME
winnow record -o a.winnow "$COMPILED/bench-fib.c.gcc" 8 8 > /dev/null 2>&1
winnow report --json a.winnow | jq -c '.totals.recording_ns'
# (what measures is another program here, which leaves a trace)
mkdir alone
cp "$(dirname "$(command -v winnow)")"/winnow "$(dirname "$(command -v winnow)")"/libwinnow-record.so alone
printf '#!/bin/sh\ntouch "%s/measures"\n' "$PWD" > alone/winnow-calibrate-libgomp
chmod +x alone/winnow-calibrate-libgomp
alone/winnow calibrate --runtime libgomp 2>&1 | sed 's/.*: //'
touch file
XDG_CACHE_HOME=$PWD/file alone/winnow calibrate --runtime libgomp 2>&1 | sed 's/.*: //'
ls measures 2> /dev/null || echo nothing is measured
XDG_CACHE_HOME=$PWD alone/winnow calibrate --runtime libgomp > why 2>&1 || ls measures
#= stdout
#| null
#| no place for the profile
#| Not a directory
#| nothing is measured
#| measures
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
