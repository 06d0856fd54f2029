#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK [PROGRAM...] - every construct through every source (cell.sh), as TAP: one line
# for each cell. The cells are left in WORK/cells.tsv, which table.sh makes doc/conformance.md from.
# The last line says whether the committed page is that table.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
only_some=$#
if [ $# -eq 0 ]; then
	set -- "$here"/programs/*.c "$here"/programs/*.f90
fi
if [ ! -e "$build/runtimes/19/libomp.so.5" ]; then
	echo "1..0 # SKIP no runtimes: tools/fetch-runtimes.sh $build/runtimes"
	exit 0
fi
# clang 19 and 22 call entry points that libomp 14 lacks: programs are linked to the youngest
mkdir -p "$work/link"
ln -sf "$build/runtimes/19/libomp.so.5" "$work/link/libomp.so"

for program; do
	[ -e "$program" ] || continue
	case $program in
	*.f90) columns="gfortran opari-gfortran" ;;
	*) columns="gcc clang-14,libomp-14 clang-14,libomp-16 clang-19,libomp-19 clang-22,libomp-19 opari-gcc" ;;
	esac
	for column in $columns; do
		printf '%s\n' "$build" "$work" "$column" "$(realpath "$program")"
	done
done | xargs -d '\n' -n 4 -P "${WN_JOBS:-$(nproc)}" "$here/cell.sh" > "$work/cells.part"
sort -t "$(printf '\t')" -k2,3 "$work/cells.part" > "$work/cells.tsv"

n=0
failed=0
while IFS=$'\t' read -r result construct column detail; do
	n=$((n + 1))
	case $result in
	wrong)
		failed=1
		echo "not ok $n - $construct, $column"
		echo "# $detail"
		;;
	none) echo "ok $n - $construct, $column # SKIP $detail" ;;
	*) echo "ok $n - $construct, $column: $result${detail:+ ($detail)}" ;;
	esac
done < "$work/cells.tsv"
if [ "$only_some" -eq 0 ]; then
	n=$((n + 1))
	if difference=$("$here/table.sh" "$work/cells.tsv" | diff -u "$here/../../doc/conformance.md" -); then
		echo "ok $n - doc/conformance.md is this table"
	else
		failed=1
		echo "not ok $n - doc/conformance.md is this table"
		head -n 40 <<< "$difference" | while IFS= read -r line; do echo "# $line"; done
	fi
fi
echo "1..$n"
exit "$failed"
