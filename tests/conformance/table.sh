#!/bin/bash
# SPDX-License-Identifier: MIT
#
# table.sh [--newer-gcc | --newer-clang] CELLS - prints doc/conformance.md from the cells that run.sh found, up to the parts
# on newer compilers; or one of these parts, from the cells that newer.sh found:
#     tests/conformance/table.sh build/conformance/cells.tsv > doc/conformance.md
#     tests/conformance/table.sh --newer-gcc WORK/cells.tsv >> doc/conformance.md
#     tests/conformance/table.sh --newer-clang WORK/cells.tsv >> doc/conformance.md
# A column of a newer GCC stands for its cells with and without optimisation: the worst of them.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
newer=
case $1 in
--newer-gcc)
	newer=gcc
	sed '/^## .*clang/,$d' "$here/table.newer.md"
	shift
	;;
--newer-clang)
	newer=clang
	echo
	sed -n '/^## .*clang/,$p' "$here/table.newer.md"
	shift
	;;
*) cat "$here/table.head.md" ;;
esac
awk -F '\t' -v newer=$newer '
	function key(column,   level) {
		if (column !~ /^(gcc|gfortran)-[0-9]/)
			return column
		level = column ~ /-fopenmp-ompt=/ ? column : ""
		sub(/.*-fopenmp-ompt=/, ",", level)
		sub(/,.*/, "", column)
		return column level
	}
	function rank(result) {
		return index("none exact limited wrong", result)
	}
	BEGIN {
		if (newer == "gcc") {
			n = split("gcc-14 gcc-16 gcc-17 gcc-17,basic gcc-17,extended gfortran-14 gfortran-16 gfortran-17 gfortran-17,basic gfortran-17,extended", columns, " ")
			print "| construct | gcc 14 | gcc 16 | gcc 17 | gcc 17, basic | gcc 17, extended | gfortran 14 | gfortran 16 | gfortran 17 | gfortran 17, basic | gfortran 17, extended |"
			print "|---|---|---|---|---|---|---|---|---|---|---|"
		} else if (newer == "clang") {
			n = split("clang-21,libomp-22 clang-22,libomp-22 clang-23,libomp-23 clang-24,libomp-24 flang-22,libomp-22 flang-23,libomp-23", columns, " ")
			print "| construct | clang 21, libomp 22 | clang 22, libomp 22 | clang 23, libomp 23 | clang 24, libomp 24 | flang 22, libomp 22 | flang 23, libomp 23 |"
			print "|---|---|---|---|---|---|---|"
		} else {
			n = split("gcc gfortran clang-14,libomp-14 clang-14,libomp-16 clang-19,libomp-19 clang-22,libomp-19 opari-gcc opari-gfortran", columns, " ")
			print "| construct | gcc | gfortran | clang 14, libomp 14 | clang 14, libomp 16 | clang 19, libomp 19 | clang 22, libomp 19 | OPARI2, gcc | OPARI2, gfortran |"
			print "|---|---|---|---|---|---|---|---|---|"
		}
		for (c = 1; c <= n; c++)
			is_column[columns[c]] = 1
	}
	!(key($3) in is_column) { next }
	!($2 in seen) { seen[$2] = 1; order[++rows] = $2 }
	{
		at = $2 SUBSEP key($3)
		if (at in result && rank(result[at]) >= rank($1))
			next
		result[at] = $1
		detail[at] = $4
		if (!(at in number_of)) { number_of[at] = ++cells; at_of[cells] = at }
	}
	END {
		for (i = 1; i <= cells; i++) {
			at = at_of[i]
			cell[at] = result[at]
			if (detail[at] != "") {
				if (!(detail[at] in number)) { number[detail[at]] = ++notes; note[notes] = detail[at] }
				cell[at] = cell[at] " [" number[detail[at]] "]"
			}
		}
		for (r = 1; r <= rows; r++) {
			line = "| " order[r]
			for (c = 1; c <= n; c++) {
				text = cell[order[r], columns[c]]
				sub(/^none/, "–", text)
				line = line " | " text
			}
			print line " |"
		}
		print ""
		for (i = 1; i <= notes; i++)
			print i ". " note[i]
	}' "$1"
