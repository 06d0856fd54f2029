#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK - counters of grains, end to end, on every runtime that is there: those of a
# simulation, whose values are known of the trace itself. TAP.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
winnow=$build/winnow
headers=/usr/lib/llvm-14/lib/clang/14.0.6/include
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
cd "$work" || exit 1

ways="gcc"
command -v clang-14 > /dev/null && ways+=" clang-14"

# record NAME SPEC ARGUMENT...: NAME.winnow, NAME.csv, NAME.json
record() {
	local name=$1 spec=$2
	shift 2
	rm -f "$name".winnow*
	OMP_NUM_THREADS=3 WINNOW_COUNTERS=$spec timeout 120 "$winnow" record -o "$name.winnow" \
		"./grains-$way" "$@" > "$name.out" 2> "$name.err" || echo "record: exit $?"
	"$winnow" check "$name.winnow" > "$name.check" 2>&1 || cat "$name.check"
	"$winnow" export -f csv -o "$name.csv" "$name.winnow" > /dev/null 2>> "$name.err" ||
		cat "$name.err"
	"$winnow" report --json "$name.winnow" > "$name.json" 2>> "$name.err" || cat "$name.err"
}

# cells NAME COLUMN...: those columns of the table, without its head
cells() {
	local file=$1.csv
	shift
	awk -F, -v wanted="$*" '
		/^#/ { next }
		!n {
			for (i = 1; i <= NF; i++) at[$i] = i
			n = split(wanted, names, " ")
			for (i = 1; i <= n; i++)
				if (!(names[i] in at)) { print "no column " names[i]; exit }
			next
		}
		{
			line = ""
			for (i = 1; i <= n; i++) line = line (i > 1 ? "," : "") $at[names[i]]
			print line
		}' "$file"
}

for way in $ways; do
	flags=(-O1 -fopenmp)
	[ "$way" = gcc ] || flags+=(-idirafter "$headers")
	"$way" "${flags[@]}" -o "grains-$way" "$here/programs/grains.c" || exit 1

	result "$way: a program is recorded with counters, and its graph holds all laws" \
		"$(record known simulated:ticks=1,more=7,refused=none,odd=odd 6)"

	# a counter that counts 7 for each tick of the clock is 7 times one that counts 1
	result "$way: each grain has the counts of its own ticks" "$(
		cells known ticks more | awk -F, '
			$1 == "" || $2 != 7 * $1 { print "ticks " $1 " more " $2 }
			$1 > 0 { n++ }
			END { if (n < 100) print n + 0 " grains with counts" }')"

	# all grains of a thread that does not count have no value, and the others have the right one
	result "$way: what was not counted on a thread is missing there, and not 0" "$(
		cells known ticks odd moved thread | awk -F, '
			$3 == 1 { next }
			$2 != "" && $2 != $1 { print "ticks " $1 " odd " $2 }
			{ n[$4]++; unknown[$4] += $2 == "" }
			END {
				for (t in n) {
					if (unknown[t] != 0 && unknown[t] != n[t])
						print "thread " t ": " unknown[t] " of " n[t] " unknown"
					threads++
					all += unknown[t] == n[t]
				}
				if (threads > 1 && (all == 0 || all == threads)) print all " of " threads " threads unknown"
			}')"

	# the same clock tells times: work in ticks by work in ns is one rate for all grains
	result "$way: counts follow work" "$(
		cells known ticks work_ns | awk -F, '
			$2 > 2000 { n++; rate = $1 / $2
				if (!low || rate < low) low = rate
				if (rate > high) high = rate }
			END { if (!n || high > low * 1.01) print "from " low " to " high " of " n + 0 }')"

	result "$way: the sum over grains, the runtime and what is outside is the threads' total" "$(
		jq -r '.counters[] | select(.total != .grains + .implicit + .serial + .creation + .waiting
			+ .dispatch + .forking + .mutex + .outside + .lost or .total == 0 or .grains == 0
			or .lost != 0) | tojson' known.json)"
	result "$way: seven times as much in each account" "$(
		jq -r '(.counters | map({(.name): .}) | add) as $c |
			["total", "grains", "implicit", "serial", "creation", "waiting", "dispatch", "forking",
			"outside"][] | select($c.more[.] != 7 * $c.ticks[.]) | [., $c.ticks, $c.more] | tojson' \
			known.json)"
	result "$way: what was refused is named" "$(
		jq -r '[.fidelity[] | select(.note == "not counted: refused: refused by the simulation")] |
			if length == 1 then empty else tojson end' known.json)"

	result "$way: without counters the table has no such column" "$(
		record plain none 3
		grep -n "COUNT" <("$winnow" dump plain.winnow)
		jq -r '.counters | select(. != []) | tojson' plain.json)"
done
done_testing
