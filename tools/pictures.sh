#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pictures.sh BUILD [OUT] - records real programs and takes the pictures of their pages that the
# documents show, to OUT (default: doc/pictures). Needs what the tests need (tools/setup.sh test).
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: pictures.sh BUILD [OUT]" >&2
	exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=$(cd "$1" && pwd):$PATH
export PATH OMP_NUM_THREADS=2
out=${2:-$root/doc/pictures}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
[ -d "$root/viewer/node_modules" ] || (cd "$root/viewer" && npm ci --ignore-scripts > /dev/null)

# record NAME SOURCE ARGUMENT...
record() {
	name=$1
	source=$2
	shift 2
	gcc -g -O2 -fopenmp -I"$root/bench/programs" -o "$(basename "$source" .c)" "$root/$source" -lm
	winnow record -o "$name.winnow" "./$(basename "$source" .c)" "$@" > "$name.out" 2>&1
	winnow view "$name.winnow" > "$name.said"
}

shoot() {
	node "$root/viewer/test/shoot.mjs" "$1.html" "$out/$2.png" "${3:-light}" "${4:-}"
}

record recursion examples/recursion.c
record sort-fine bench/programs/sort.c 1000000 16 16
record sort-good bench/programs/sort.c 8000000 8192 8192
record imbalance examples/imbalance.c
record nqueens bench/programs/nqueens.c 12 3

shoot recursion recursion
shoot sort-fine sort-fine
shoot sort-good sort-good
shoot imbalance imbalance
shoot nqueens nqueens-structure light page=graph

winnow count -o tasks.winnow ./sort 65536 8192 16384 > tasks.out 2>&1
winnow export --format taskgraph -o "$out/sort-tasks.svg" tasks.winnow
