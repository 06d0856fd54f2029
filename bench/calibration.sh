#!/bin/bash
# SPDX-License-Identifier: MIT
#
# calibration.sh [--rounds N] BUILD - does what calibration takes out of grains' work leave the work of the serial
# program? For fib, nqueens and uts, by gcc on libgomp and clang on libomp, on one thread and two: the sum of grains'
# work as recorded, with the recording cost taken out, and less the entry of each task's body too (the call through a
# pointer with arguments in memory, which the serial program does not have), each by the elapsed time of the same
# source compiled without OpenMP. Of N runs each (default 5) the least, as others only add; tasks at every level, then with a
# cut-off that makes grains of some microseconds. 'winnow calibrate' first.
set -eu

rounds=5
if [ "${1:-}" = --rounds ]; then
	rounds=$2
	shift 2
fi
[ $# = 1 ] || { sed -n 's/^# \{0,1\}//; 4,11p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
winnow=$(cd "$1" && pwd)/winnow
scratch=$(mktemp -d "${TMPDIR:-/tmp}/winnow-calibration.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

least() {
	sort -g | head -n 1
}

# elapsed ns of a run, as the program says
elapsed() {
	"$@" --time | awk '$1 == "time" { printf "%.0f\n", $2 * 1e9 }'
}

clang=$("$root/tools/toolchain.sh" clangs | head -n 1)
printf '%-18s %-8s %7s %10s %8s %11s %10s %10s\n' program compiler threads serial raw compensated 'less entry' grains
for program in 'fib 25 25' 'fib 30 14' 'nqueens 8 8' 'nqueens 10 3' 'uts 200 --work=10' 'uts 20'; do
	read -r name arguments <<< "$program"
	for compiler in gcc "$clang"; do
		"$compiler" -O2 -o "$scratch/serial" "$root/bench/programs/$name.c" 2> /dev/null
		"$compiler" -O2 -fopenmp -o "$scratch/parallel" "$root/bench/programs/$name.c" 2> /dev/null || continue
		for threads in 1 2; do
			: > "$scratch/serial.ns"
			: > "$scratch/runs"
			for ((i = 0; i < rounds; i++)); do
				# arguments are words
				# shellcheck disable=SC2086
				elapsed "$scratch/serial" $arguments >> "$scratch/serial.ns"
				# shellcheck disable=SC2086
				OMP_NUM_THREADS=$threads "$winnow" record -o "$scratch/run.winnow" "$scratch/parallel" $arguments > /dev/null 2>&1
				"$winnow" report --json "$scratch/run.winnow" |
					jq -r '[.totals.grain_work_ns, .totals.grain_recording_ns // 0, .graph.grains, .totals.entry_ns // 0] | @tsv' >> "$scratch/runs"
			done
			serial=$(least < "$scratch/serial.ns")
			raw=$(awk '{ print $1 + $2 }' "$scratch/runs" | least)
			left=$(awk '{ print $1 }' "$scratch/runs" | least)
			bare=$(awk '{ print $1 - $4 }' "$scratch/runs" | least)
			grains=$(awk '{ print $3 }' "$scratch/runs" | least)
			awk -v n="$program" -v c="$compiler" -v t="$threads" -v s="$serial" -v r="$raw" -v l="$left" -v b="$bare" -v g="$grains" \
				'BEGIN { printf "%-18s %-8s %7s %7.2f ms %8.2f %11.2f %10.2f %10d\n", n, c, t, s / 1e6, r / s, l / s, b / s, g }'
		done
	done
done
