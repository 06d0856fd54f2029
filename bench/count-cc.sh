#!/bin/bash
# SPDX-License-Identifier: MIT
#
# count-cc.sh [BUILD] [ROUNDS] [ONLY] - how much longer programs take that count what they execute
# (winnow cc --count), without and with their footprint: CPU time of 2 threads, each program in turn
# plain and counting, the ratio within each turn; median and quartiles of ROUNDS (default 7). ONLY is a
# pattern of names. CC=clang-19: which clang.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
rounds=${2:-7}
only=${3:-.}
cc=${CC:-clang-14}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=2

compile() { # folder, how
	folder=$1
	shift
	mkdir "$work/$folder"
	for source in "$root"/bench/programs/*.c; do
		name=$(basename "$source" .c)
		grep -q "^$name " "$work/plan" || continue
		"$@" "$cc" -std=c17 -O2 -fopenmp -L/usr/lib/llvm-14/lib "$source" -o "$work/$folder/$name" -lm
	done
}

cpu_s() { # program and arguments: seconds of user and system time
	TIMEFORMAT='%U %S'
	{ time "$@" > "$work/out"; } 2>&1 | awk '{ print $1 + $2 }'
	tail -n 1 "$work/out" | grep -q OK || echo "count-cc.sh: $1 failed" >&2
}

quartiles() { # of a column
	sort -g | awk '{ v[NR] = $1 } END { printf "%.2f (%.2f-%.2f)", v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 1) / 4)] }'
}

grep -e "$only" "$root/bench/programs/sizes.txt" > "$work/plan"
compile plain env
compile count "$build/winnow" cc --count --
compile footprint "$build/winnow" cc --count --footprint --

echo "machine  $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs, load $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo "$($cc --version | head -1), -O2, 2 threads, $rounds rounds in turn: times as long as plain, median (quartiles)"
printf '%-12s %10s  %-20s %s\n' program 'plain s' count 'with footprint'
while read -r name arguments; do
	: > "$work/plain.s" && : > "$work/count.x" && : > "$work/footprint.x"
	for ((i = 0; i < rounds; i++)); do
		# shellcheck disable=SC2086
		{
			plain=$(cpu_s "$work/plain/$name" $arguments)
			count=$(cpu_s "$work/count/$name" $arguments)
			footprint=$(cpu_s "$work/footprint/$name" $arguments)
		}
		echo "$plain" >> "$work/plain.s"
		awk -v a="$count" -v b="$plain" 'BEGIN { print a / b }' >> "$work/count.x"
		awk -v a="$footprint" -v b="$plain" 'BEGIN { print a / b }' >> "$work/footprint.x"
	done
	printf '%-12s %10s  %-20s %s\n' "$name" "$(quartiles < "$work/plain.s" | cut -d' ' -f1)" \
		"$(quartiles < "$work/count.x")" "$(quartiles < "$work/footprint.x")"
done < "$work/plan"
