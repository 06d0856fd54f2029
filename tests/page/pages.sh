#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pages.sh BUILD FOLDER SAID - makes recordings, reports and pages of them in FOLDER, once for all tests that look at
# pages (browser.sh). The build runs it. SAID is empty, or has what went wrong, which those tests then report.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
said=$(realpath "$3")
rm -rf "$2"
mkdir -p "$2"
cd "$2" || exit 1
winnow=$build/winnow
: > "$said"
export OMP_WAIT_POLICY=passive

give_up() {
	echo "${*:-no pages}" > "$said"
	exit 0
}

# NAME PROGRAM ARGUMENT...: a recording of it, its report, its page, its grains
make_pages() {
	local name=$1
	shift
	if [ $# -gt 0 ]; then
		rm -f "$name".winnow*
		OMP_NUM_THREADS=${threads:-2} "$winnow" record -o "$name.winnow" "$@" > said.txt 2> errors.txt || give_up "$(cat errors.txt)"
	fi
	"$winnow" report --json "$name.winnow" > "$name.json" 2> errors.txt
	"$winnow" view -o "$name.html" "$name.winnow" > said.txt 2> errors.txt
	"$winnow" view -o "$name.grains" "$name.winnow" > said.txt 2>> errors.txt
	for made in "$name.json" "$name.html" "$name.grains"; do
		[ -s "$made" ] || give_up "$(cat errors.txt)"
	done
}

for source in examples-imbalance examples-sweeps bench-sort bench-nqueens; do
	cp "$build/tests/programs/$source.c.gcc" "${source#*-}" || give_up "$source.c is not compiled"
done
make_pages imbalance ./imbalance
make_pages sweeps ./sweeps
# more grains than there are shapes in a picture
make_pages sort ./sort 20000 16 16
# without some grains of it
"$winnow" view --budget 700k -o few.html sort.winnow > said.txt 2> errors.txt || give_up "$(cat errors.txt)"
make_pages nqueens ./nqueens 8 3
threads=8 make_pages wide ./nqueens 6 2
# the same with a cut-off, beside the one without
make_pages cutoff ./sort 20000 4096 4096
"$winnow" view --against sort.winnow -o compare.html cutoff.winnow > said.txt 2> errors.txt
"$winnow" diff --json sort.winnow cutoff.winnow > compare.json 2>> errors.txt
if [ ! -s compare.html ] || [ ! -s compare.json ]; then give_up "$(cat errors.txt)"; fi
# ids of imported grains are of another kind
"$winnow" export --format mir-csv -o nqueens.csv nqueens.winnow > said.txt 2> errors.txt || give_up "$(cat errors.txt)"
"$winnow" import -o imported.winnow nqueens.csv > said.txt 2> errors.txt || give_up "$(cat errors.txt)"
make_pages imported
"$build/tests/report/make_trace" hostile > hostile.winnow || give_up "no made-up recording"
make_pages hostile
cp "$build/tests/serve/get" get
