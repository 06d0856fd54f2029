#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK [PROGRAM...] - every construct through every source (cell.sh), as TAP: one line for each cell. Each
# construct runs through libgomp, POMP2 and one of the four pairs of clang and libomp, and each cell with one number of
# threads; others for each choice (tests/tap.bash), or all where that is "all". Then the cells, which are left in
# WORK/cells.tsv, are what table.sh makes doc/conformance.md from, and the last line says whether the committed page is
# that table.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
only_some=$#
if [ $# -eq 0 ]; then
	set -- "$here"/programs/*.c "$here"/programs/*.f90
fi
if [ ! -e "$build/runtimes/$newest_libomp/libomp.so.5" ]; then
	echo "1..0 # SKIP no runtimes: tools/fetch-runtimes.sh $build/runtimes"
	exit 0
fi
read -r -a pairs <<< "${libomp_ways//,/,libomp-}"
# shellcheck disable=SC2016
for file; do
	[ ! -e "$file" ] || programs_in "$file" | sed "s#^#$(realpath "$file"):#; s/:\$//"
done | while read -r program; do
	case $program in
	*.f90:*) columns="gfortran opari-gfortran" ;;
	*)
		columns="gcc opari-gcc"
		columns+=" $(one_of "columns of ${program##*[/:]}" "${pairs[@]}")"
		;;
	esac
	newer=$("$here/../programs/newer-gcc.sh" | tr ' ' ,)
	[[ $program != *.f90:* ]] || newer=${newer//gcc/gfortran}
	covering "conformance ${program##*[/:]}" "$columns $newer" "1 2 4" | sed "i $program"
# a program, then its source and numbers of threads
done | xargs -d '\n' -n 2 -P "${WN_JOBS:-$(nproc)}" sh -c 'exec "$0" "$1" "$2" "${4%% *}" "$3" ${4#* }' \
	"$here/cell.sh" "$build" "$work" > "$work/cells.part"
sort -t "$(printf '\t')" -k2,3 "$work/cells.part" > "$work/cells.tsv"

while IFS=$'\t' read -r result construct column detail; do
	case $result in
	wrong) result "$construct, $column" "$detail" ;;
	none) say ok "$construct, $column # SKIP $detail" ;;
	*) say ok "$construct, $column: $result${detail:+ ($detail)}" ;;
	esac
done < "$work/cells.tsv"
if [ "$WN_CHOICE" = all ] && [ "$only_some" -eq 0 ]; then
	result "doc/conformance.md is this table" \
		"$("$here/table.sh" "$work/cells.tsv" | diff -u <(sed '/^## Newer/,$d' "$here/../../doc/conformance.md" | sed '$d') -)"
fi
done_testing
