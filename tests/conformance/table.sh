#!/bin/bash
# SPDX-License-Identifier: MIT
#
# table.sh CELLS - prints doc/conformance.md from the cells that run.sh found:
#     tests/conformance/table.sh build/conformance/cells.tsv > doc/conformance.md
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cat "$here/table.head.md"
awk -F '\t' '
	BEGIN {
		n = split("gcc gfortran clang-14,libomp-14 clang-14,libomp-16 clang-19,libomp-19 clang-22,libomp-19 opari-gcc opari-gfortran", columns, " ")
		print "| construct | gcc | gfortran | clang 14, libomp 14 | clang 14, libomp 16 | clang 19, libomp 19 | clang 22, libomp 19 | OPARI2, gcc | OPARI2, gfortran |"
		print "|---|---|---|---|---|---|---|---|---|"
	}
	!($2 in seen) { seen[$2] = 1; order[++rows] = $2 }
	{
		cell[$2, $3] = $1
		if ($4 != "") {
			if (!($4 in number)) { number[$4] = ++notes; note[notes] = $4 }
			cell[$2, $3] = $1 " [" number[$4] "]"
		}
	}
	END {
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
