#!/bin/bash
# SPDX-License-Identifier: MIT
#
# count.sh [OPTION]... - how much slower ten task programs are under `winnow count`, with and without
# footprints: CPU time against the plain program, on the same threads.
#
#   --build DIR      where winnow was built (default build)
#   --rounds N       rounds, each of all ways in turn (default 5)
#   --only WORD      only programs whose name has WORD in it
#   --cc COMMAND     compiler (default gcc)
#   --threads N      threads of each program (default 2)
#   --engine NAME    native (the default) or qemu
#   --wall           wall time instead
#   --help           this text
#
# Prints for each program the plain seconds and the median of the rounds' ratios, least and
# greatest behind it: of counting without footprints, of counting; with qemu also of the emulator alone. The
# aim is 20 for counting with footprints. CPU time, since GCC's runtime lets one of two threads sleep through most of
# some of these programs, or does not, from run to run.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build rounds=5 only='' compiler=gcc threads=2 engine=native format='%U %S'
values='build/ rounds only cc:compiler threads engine' switches='wall:format=%R'
# shellcheck source=bench/tools/options.sh
. "$here/tools/options.sh"
emulator=
if [ "$engine" = qemu ]; then
	emulator=qemu-$(uname -m)
	command -v "$emulator" > /dev/null || {
		echo "count.sh: no $emulator: apt-get install qemu-user" >&2
		exit 1
	}
fi
work=$build/bench/count
mkdir -p "$work"
export OMP_NUM_THREADS=$threads TIMEFORMAT=$format

seconds() { # COMMAND...: the program's output aside
	{ time "$@" > /dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

spread() { # numbers on stdin: median (least to greatest)
	sort -n | awk '{ v[NR] = $1 } END { printf "%.1f (%.1f to %.1f)", v[int((NR + 1) / 2)], v[1], v[NR] }'
}

printf '%-10s %8s  %-24s %-24s %-24s\n' program 'plain s' 'no footprint' footprint "${emulator:+emulator alone}"
for program in alignment fft fib floorplan health nqueens sort sparselu strassen uts; do
	case $program in *"$only"*) ;; *) continue ;; esac
	"$compiler" -O2 -g -std=gnu17 -fopenmp "$here/programs/$program.c" -o "$work/$program" -lm
	: > "$work/plain" && : > "$work/qemu" && : > "$work/none" && : > "$work/all"
	for _ in $(seq "$rounds"); do
		plain=$(seconds "$work/$program")
		echo "$plain" >> "$work/plain"
		of_plain() { awk -v a="$(seconds "$@")" -v b="$plain" 'BEGIN { print a / b }'; }
		[ -z "$emulator" ] || of_plain "$emulator" "$work/$program" >> "$work/qemu"
		of_plain "$build/winnow" count --engine "$engine" --no-footprint -o "$work/r.winnow" "$work/$program" >> "$work/none"
		of_plain "$build/winnow" count --engine "$engine" -o "$work/r.winnow" "$work/$program" >> "$work/all"
	done
	printf '%-10s %8.2f  %-24s %-24s %-24s\n' "$program" "$(sort -n "$work/plain" | sed -n "$(((rounds + 1) / 2))p")" \
		"$(spread < "$work/none")" "$(spread < "$work/all")" "${emulator:+$(spread < "$work/qemu")}"
done
