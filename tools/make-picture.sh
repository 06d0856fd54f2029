#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make-picture.sh BUILD [OUT] - draws doc/grain-graph.svg (or OUT.svg): the grain graph of a small
# examples/recursion.c, recorded with four threads. With rsvg-convert there is OUT.png as well.
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: make-picture.sh BUILD [OUT]" >&2
	exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
winnow=$(realpath "$1")/winnow
out=$(realpath "${2:-$root/doc/grain-graph}")
top=$(mktemp -d "${TMPDIR:-/tmp}/winnow-picture.XXXXXX")
trap 'rm -rf "$top"' EXIT
cd "$top"

# the cut-off leaves five levels of tasks, which fit on a page, and leaves that work
sed 's/^\(#define LEVELS *\).*/\1 18/; s/^\(#define LEAF_LEVELS *\).*/\1 13/' \
	"$root/examples/recursion.c" > recursion.c
"${CC:-gcc}" -g -O2 -fopenmp -DFIXED -o recursion recursion.c
OMP_NUM_THREADS=4 "$winnow" record -o recursion.winnow ./recursion > /dev/null
"$winnow" export recursion.winnow -o "$out.svg"
if command -v rsvg-convert > /dev/null; then
	rsvg-convert --zoom 1 "$out.svg" -o "$out.png"
fi
echo "$out.svg"
