#!/bin/sh
# SPDX-License-Identifier: MIT
#
# report.sh [OPTION]... BEFORE AFTER [FILE]... - what a change costs those who do not use it: instructions of
# `winnow report` in two builds, of the same recordings. Instructions, not time: they are the same
# on a busy machine, and a tenth of a percent shows.
#
#   BEFORE, AFTER    folders where winnow was built, both for release
#   FILE             recordings (default: some that AFTER makes)
#   --by BY          arguments of winnow report besides the file (default none)
#   --help           this text
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
by=''
while [ $# -gt 0 ]; do
	case $1 in
	--by) by=$2 && shift ;;
	--help)
		sed -n 's/^# \{0,1\}//; 4,11p' "$0"
		exit 0
		;;
	-*)
		echo "report.sh: $1: unknown option; --help lists them" >&2
		exit 2
		;;
	*) break ;;
	esac
	shift
done
[ $# -ge 2 ] || { echo "report.sh: which two builds? BEFORE AFTER" >&2; exit 2; }
command -v valgrind > /dev/null || { echo "report.sh: valgrind is missing" >&2; exit 1; }
before=$(cd "$1" && pwd)/winnow
after=$(cd "$2" && pwd)/winnow
shift 2
scratch=$(mktemp -d "${TMPDIR:-/tmp}/winnow-report.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# instructions WINNOW FILE
instructions() {
	# arguments are words
	# shellcheck disable=SC2086
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" report $by "$2" 2>&1 > /dev/null |
		sed -n 's/^==[0-9]*== Collected : //p'
}

# record NAME ARG...
record() {
	name=$1
	shift
	OMP_NUM_THREADS=2 "$after" record -o "$scratch/$name.winnow" "$scratch/$name" "$@" > "$scratch/out" 2>&1 && return 0
	echo "report.sh: $name: $(tail -n 1 "$scratch/out")" >&2
	exit 1
}

if [ $# -eq 0 ]; then
	"$root/tools/build-programs.sh" "gcc -fopenmp" "$scratch" > /dev/null 2>&1
	record fib 24 12
	record loops
	record sparselu 24 8
	record uts 800 --work=50
	set -- "$scratch"/*.winnow
fi
printf '| run | grains | before, M | after, M | more |\n|---|---:|---:|---:|---:|\n'
for file in "$@"; do
	echo "$(basename "$file" .winnow)|$("$after" report --json "$file" | jq .graph.grains)|$(instructions "$before" "$file")|$(instructions "$after" "$file")"
done | awk -F'|' '{ printf "| %s | %d | %.2f | %.2f | %+.2f %% |\n", $1, $2, $3 / 1e6, $4 / 1e6, 100 * ($4 / $3 - 1) }'
