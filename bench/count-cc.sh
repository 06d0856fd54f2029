#!/bin/bash
# SPDX-License-Identifier: MIT
#
# count-cc.sh [OPTION]... - how much longer ten task programs take that count what they execute (winnow cc
# --count), without and with their footprint: CPU time against the plain program, on the same threads.
#
#   --build DIR      where winnow was built (default build)
#   --rounds N       rounds, each of all ways in turn (default 7)
#   --only WORD      only programs whose name has WORD in it
#   --cc COMMAND     which clang (default clang-14)
#   --threads N      threads of each program (default 2)
#   --no-record      only by themselves
#   --help           this text
#
# By itself nobody asks a program for its footprint: it looks whether somebody does. Under winnow
# record the recorder reads the counts of each grain and keeps its set of lines. Prints for each
# program the plain seconds and the median of the rounds' ratios, quartiles behind it: counting and
# with a footprint, both by themselves against the plain program; then both recorded, against the
# plain program recorded ("/rec") and against the plain program by itself.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build rounds=7 only='' compiler=clang-14 threads=2 is_recorded=1
values='build/ rounds only cc:compiler threads' switches='no-record:is_recorded='
# shellcheck source=bench/tools/options.sh
. "$here/tools/options.sh"
[ -x "$build/winnow" ] || {
	echo "count-cc.sh: $build: no winnow there; run make first" >&2
	exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=$threads TIMEFORMAT='%U %S'

compile() { # name, what stands before the compiler
	local out=$1
	shift
	"$@" "$compiler" -std=c17 -O2 -fopenmp -L/usr/lib/llvm-14/lib "$here/programs/$program.c" -o "$work/$out" -lm
}

seconds() { # COMMAND...: user and system time
	{ time "$@" > "$work/out" 2> "$work/err"; } 2>&1 | awk '{ print $1 + $2 }'
	grep -q '^OK' "$work/out" || echo "count-cc.sh: $program failed" >&2
}

record() { # program and arguments
	"$build/winnow" record -o "$work/trace.winnow" -- "$@"
}

spread() { # numbers on stdin: median (quartiles)
	sort -g | awk '{ v[NR] = $1 } END { printf "%.2f (%.2f-%.2f)", v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 1) / 4)] }'
}

ratio() { # seconds, of seconds, file
	awk -v a="$1" -v b="$2" 'BEGIN { print a / b }' >> "$work/$3"
}

round() { # arguments of the program
	local plain count footprint by
	plain=$(seconds "$work/plain" "$@")
	count=$(seconds "$work/count" "$@")
	footprint=$(seconds "$work/footprint" "$@")
	echo "$plain" >> "$work/plain.s"
	ratio "$count" "$plain" count.x
	ratio "$footprint" "$plain" footprint.x
	[ "$is_recorded" ] || return 0
	by=$(seconds record "$work/plain" "$@")
	count=$(seconds record "$work/count" "$@")
	footprint=$(seconds record "$work/footprint" "$@")
	ratio "$count" "$by" count.rec
	ratio "$footprint" "$by" footprint.rec
	ratio "$count" "$plain" count.all
	ratio "$footprint" "$plain" footprint.all
}

columns="count.x footprint.x"
[ -z "$is_recorded" ] || columns="$columns count.rec footprint.rec count.all footprint.all"
echo "machine   $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs, load $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo "programs  $("$compiler" --version | head -1), -O2, $threads threads; $rounds rounds, in turn"
printf '%-10s %7s' program 'plain s'
printf '  %-17s' count footprint ${is_recorded:+count/rec footprint/rec count+rec footprint+rec}
echo
while read -r program arguments; do
	case $program in *"$only"*) ;; *) continue ;; esac
	compile plain env
	compile count "$build/winnow" cc --count --
	compile footprint "$build/winnow" cc --count --footprint --
	rm -f "$work"/*.s "$work"/*.x "$work"/*.rec "$work"/*.all
	for ((i = 0; i < rounds; i++)); do
		# shellcheck disable=SC2086
		round $arguments
	done
	printf '%-10s %7.2f' "$program" "$(sort -g "$work/plain.s" | sed -n "$(((rounds + 1) / 2))p")"
	for column in $columns; do
		printf '  %-17s' "$(spread < "$work/$column")"
	done
	echo
done < "$here/programs/sizes.txt"
