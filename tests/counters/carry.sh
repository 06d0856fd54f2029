#!/bin/bash
# SPDX-License-Identifier: MIT
#
# carry.sh BUILD WORK - counts of runs on one thread and on four become columns of a run on two, by
# names that no schedule changes. Counters are simulated: what they say is known of the counted run's
# own table, to which the carried columns are held, grain by grain. TAP.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
winnow=$build/winnow
simulated=$build/tests/counters/libsimulated.so
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 # as in tests/cli/run-case.sh
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
cd "$work" || exit 1

ways="gcc"
command -v "$oldest_clang" > /dev/null && ways+=" $oldest_clang"

# record NAME THREADS COUNTERS ARGUMENT...: NAME.winnow
record() {
	local name=$1 threads=$2 counters=$3
	shift 3
	rm -f "$name".winnow*
	OMP_NUM_THREADS=$threads LD_PRELOAD=$simulated WINNOW_COUNTERS=$counters timeout 120 "$winnow" record \
		-o "$name.winnow" "./kinds-$way" "$@" > "$name.out" 2>&1 || echo "record: exit $?"
}

# columns FILE: lineage,kind,more of grains, sorted
columns() {
	awk -F, '
		/^#/ { next }
		!seen { seen = 1; for (i = 1; i <= NF; i++) at[$i] = i
			if (!("more" in at)) print "no column"; next }
		$at["kind"] != "implicit" { print $at["lineage"] "," $at["kind"] "," $at["more"] }' "$1" |
		sort
}

# carried TIMED COUNTED: each grain of TIMED has what its namesake has in COUNTED, else nothing
carried() {
	"$winnow" export -f csv "$1.winnow" --counts "$2.winnow" -o carried.csv 2>&1
	"$winnow" export -f csv "$2.winnow" -o counted.csv 2>&1
	columns carried.csv > carried.columns
	columns counted.csv > counted.columns
	awk -F, '
		NR == FNR { value[$1 "," $2] = $3; next }
		{
			expected = $1 "," $2 in value ? value[$1 "," $2] : ""
			if ($3 != expected) print $1 ": " $3 ", not " expected
			n[$2] += $3 != ""
		}
		END {
			for (kind in n) kinds++
			if (kinds < 4) print kinds " kinds of grains"
			for (kind in n) if (kind != "chunk" && !n[kind]) print "no " kind " with counts"
		}' counted.columns carried.columns
}

# counts TIMED COUNTED: matched, without counts, without grains
counts() {
	"$winnow" report --json "$1.winnow" --counts "$2.winnow" |
		jq -c '[.counts.matched, .counts.without_counts, .counts.without_grains]'
}

for way in $ways; do
	flags=(-O1 -fopenmp)
	[ "$way" = gcc ] || flags+=(-idirafter "$libomp_headers" -L"$build/tests/programs/libomp")
	"$way" "${flags[@]}" -o "kinds-$way" "$here/programs/kinds.c" || exit 1

	result "$way: programs are recorded" "$(
		record timed 2 ""
		record one 1 simulated:ticks=1,more=7
		record four 4 simulated:ticks=1,more=7
		record loop 2 "" more
		record loop-four 4 simulated:more=7 more)"
	for run in one four; do
		result "$way: counts of the run on $run are those of each namesake" "$(carried timed $run)"
		# libomp hands a team of one the whole loop, in place of 14 chunks
		whole=0
		[ "$way $run" != "$oldest_clang one" ] || whole=14
		result "$way: and all grains have one that are there ($run)" "$(
			counts timed $run | jq -r --argjson whole $whole '
				if .[0] >= 48 and .[1] == $whole and .[2] == ($whole > 0 | if . then 1 else 0 end)
				then empty else tojson end')"
	done
	result "$way: chunks that are cut otherwise are counted as such" "$(
		carried loop loop-four
		counts loop loop-four | jq -r 'if .[1] == 6 and .[2] == 3 then empty else tojson end'
		"$winnow" report loop.winnow --counts loop-four.winnow --json |
			jq -r '.fidelity[] | select(.construct == "counts") | .note' |
			grep -c "the others have no match there" | grep -vx 1)"

	result "$way: and the first ones are named" "$(
		"$winnow" export -f csv loop.winnow --counts loop-four.winnow -o named.csv
		"$winnow" report loop.winnow --counts loop-four.winnow --json > named.json
		jq -r '.counts.first_without_counts, .counts.first_without_grains' named.json > names
		columns named.csv | grep -qxF "$(sed -n 1p names),chunk," || echo "not $(sed -n 1p names)"
		! grep -qF "$(sed -n 2p names)," named.csv || echo "$(sed -n 2p names) is there"
		"$winnow" export -f csv loop-four.winnow | grep -qF ",$(sed -n 2p names)," || echo "nowhere"
		jq -r '.counts.note' named.json | grep -cF "as $(sed -n 1p names) (" | grep -vx 1)"
	result "$way: once, not for each counter" "$(
		"$winnow" report loop.winnow --counts loop-four.winnow --json |
			jq -r '[.fidelity[] | select(.note | test("where this was not counted"))] | length' |
			grep -vx 0)"

	# with counts of the run itself, its path by a counter is that of the same trace: in pieces
	result "$way: a run's own counts, carried to itself, weigh what they weigh there" "$(
		"$winnow" report --json one.winnow --weight more | jq -c .totals.weight > own.json
		"$winnow" report --json one.winnow --counts one.winnow --weight more |
			jq -c .totals.weight > carried.json
		diff own.json carried.json
		jq -r 'select(.work == 0 or .span == 0 or .parallelism < 1)' own.json)"
	result "$way: a picture tells what was not counted, and only that" "$(
		"$winnow" export -f taskgraph --weight more -o own.svg one.winnow 2>&1
		"$winnow" export -f taskgraph --weight more -o loop.svg loop.winnow \
			--counts loop-four.winnow 2>&1
		grep -c "not counted\|at least" own.svg | grep -vx 0
		# of a place with such chunks, and of each of them that is pointed at
		grep -q ">\(not counted\|at least [0-9,]*\)</text>" loop.svg || echo "no place"
		n=$(grep -c "^more not counted" loop.svg)
		[ "$n" -ge 6 ] || echo "$n grains, not 6 and more")"
	result "$way: the path by counts of another run is at most their sum, and covers grains" "$(
		"$winnow" report --json timed.winnow --counts four.winnow --weight more |
			jq -c '.totals.weight | select(.span == 0 or .span > .work or .unknown_grains != 0
				or .critical_grains == 0)')"

	result "$way: metrics of the user may name carried counters, and nothing else" "$(
		"$winnow" report --json timed.winnow --counts four.winnow --metric 'x = more / 7' |
			jq -r '.metrics[0].values | select(.count < 62 or .missing != 0) | tojson'
		"$winnow" tree --json timed.winnow --counts four.winnow --metric 'x = more / 7' |
			jq -r '.nodes[0].metrics.x | select(. == null)'
		"$winnow" report timed.winnow --counts four.winnow --metric 'x = none' 2>&1 |
			grep -v "unknown name 'none'")"
	refused=$("$winnow" report timed.winnow --counts loop-four.winnow 2>&1)
	code=$?
	expected="winnow report: timed.winnow: --counts loop-four.winnow: counts of another run: of './kinds-$way more', not of './kinds-$way'"
	result "$way: counts of another command are refused in one line" "$(
		[ "$refused" = "$expected" ] || echo "$refused"
		[ $code = 1 ] || echo "exit $code")"
	refused=$("$winnow" tree timed.winnow --counts loop.winnow 2>&1)
	result "$way: so is a run that has no counts" "$(
		grep -v "counts of another run\|nothing was counted" <<< "$refused")"
done
# What an emulator has counted on one thread and on four are the same columns of a run on two.
if command -v qemu-x86_64 > /dev/null; then
	way=gcc
	for threads in 1 4; do
		OMP_NUM_THREADS=$threads timeout 300 "$winnow" count -o counted$threads.winnow "./kinds-$way" \
			> counted.out 2> counted.err || cat counted.err
	done
	record timed 2 ""
	for threads in 1 4; do
		"$winnow" export -f csv timed.winnow --counts counted$threads.winnow 2>&1 | awk -F, '
			/^#/ { next }
			!seen { seen = 1; for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["kind"] ~ /task|section/ {
				print $at["lineage"] "," $at["instructions"] "," $at["mem_reads"] "," $at["mem_writes"]
			}' | sort > emulated$threads.csv
	done
	result "counts of an emulator on one thread and on four are the same of all tasks" "$(
		grep -v "S[0-9]*\[" emulated1.csv > tasks1.csv
		grep -v "S[0-9]*\[" emulated4.csv > tasks4.csv
		diff tasks1.csv tasks4.csv
		awk -F, '$2 == "" || $2 == 0 { print "no instructions: " $0 }
			END { if (NR < 40) print NR " tasks" }' tasks1.csv)"
	# the code that asks for a section is the program's, and another for a thread's first one
	result "and of sections, but for the few instructions that ask for the next one" "$(
		join -t, <(grep "S[0-9]*\[" emulated1.csv) <(grep "S[0-9]*\[" emulated4.csv) | awk -F, '
			{ n++; more = $2 - $5 }
			more < -8 || more > 8 || $3 - $6 < -2 || $3 - $6 > 2 || $4 - $7 < -2 || $4 - $7 > 2
			END { if (n < 2) print n + 0, "sections are counted" }')"
fi
done_testing
