#!/bin/bash
# SPDX-License-Identifier: MIT
#
# browser.sh BUILD WORK TEST - makes recordings and pages of them in WORK, then runs viewer/test/TEST.mjs on
# those. Needs what tools/setup.sh test brings. TAP.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
test=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
winnow=$build/winnow

give_up() {
	echo "not ok 1 - pages to look at"
	echo "# ${*//$'\n'/$'\n'# }"
	echo 1..1
	exit 1
}

for tool in node npm; do
	if ! command -v $tool > /dev/null; then
		echo "1..0 # SKIP $tool is missing"
		exit 0
	fi
done
"$root/tools/build-page.sh" --packages 2> "$work/packages.txt" || give_up "$(cat "$work/packages.txt")"
cd "$work" || exit 1

# NAME PROGRAM ARGUMENT...: a recording of it, its report, its page, its grains
make_pages() {
	local name=$1
	shift
	if [ $# -gt 0 ]; then
		rm -f "$name".winnow*
		OMP_NUM_THREADS=2 "$winnow" record -o "$name.winnow" "$@" > said.txt 2> errors.txt || give_up "$(cat errors.txt)"
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
"$winnow" view --budget 1300k -o few.html sort.winnow > said.txt 2> errors.txt || give_up "$(cat errors.txt)"
make_pages nqueens ./nqueens 8 3
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
WN_CHOICE=$("$root/tools/choice.sh")
export WN_CHOICE
exec node "$root/viewer/test/$test.mjs" "$winnow" "$work"
