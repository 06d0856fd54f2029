#!/bin/bash
# SPDX-License-Identifier: MIT
#
# null-code-pointer.sh BUILD - every grain and mutex has the user's line, where the runtime gives no
# address or one in itself as well; where nobody knows one, the report says so. The same for the report
# and for the table of grains. TAP.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH MALLOC_PERTURB_

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
source=$here/null_code_pointer.c
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-trap.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

# "kind line" of every line that may be named; a nested region may have either of two.
awk '/@/ { while (match($0, /@[a-z]+/)) {
	print substr($0, RSTART + 1, RLENGTH - 1), NR; $0 = substr($0, RSTART + RLENGTH) } }' \
	"$source" | sed '/^nested/d' > named
awk '/@nested/ { print "implicit", NR }' "$source" > nested

# What is in file $1 and was not to be, and what is missing there. With gcc, whose line tables may
# name the line before a loop or sections, that line will do if the report says so.
differences() { # what was seen, is it gcc's
	cp named wanted
	if [ "$2" = yes ]; then
		grep -q "gcc's line tables may give" fidelity || echo "# nothing is said of gcc's lines"
		awk 'NR == FNR { seen[$0]; next }
			!($0 in seen) && /^(chunk|section) / && (($1 " " $2 - 1) in seen) { $2-- }
			{ print }' "$1" named > wanted
	fi
	sort -u "$1" | grep -vxF -f wanted -f nested | sed 's/^/# not its line: /'
	grep -vxF -f "$1" wanted | sed 's/^/# not seen: /'
	grep -qxF -f nested "$1" || echo "# not seen: the nested region"
}

# Sites of the report, and of the table.
look() { # trace
	rm -f seen.report seen.table fidelity
	"$build/winnow" report --json "$1" > report.json || return
	jq -r '(.sites + .mutexes)[] | "\(.kind) \(.line)"' report.json > seen.report
	jq -r '.fidelity[].note' report.json > fidelity
	"$build/winnow" export --format csv "$1" | awk -F, '
		/^#/ { next }
		/^id,/ { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["kind"], $column["line"] }' > seen.table
	grep -E '^(critical|lock) ' seen.report >> seen.table # which has no mutexes
}

check() { # sentence, is it gcc's
	{ differences seen.report "$2"; differences seen.table "$2"; } > wrong
	cat wrong
	if [ -s wrong ] || grep -q "did not report where" fidelity; then
		say "not ok" "$1"
	else
		say ok "$1"
	fi
}

# A source that knows less than the wrappers do: the lines that it gives are right, and where it gives
# none the report says so.
check_partly() { # sentence
	sort -u seen.report seen.table | grep -vxF -f named -f nested | grep -vE ' (null)?$' > wrong
	sed 's/^/# not its line: /' wrong
	if grep -qE ' (null)?$' seen.report seen.table && ! grep -q "did not report where" fidelity; then
		echo "# nothing is said of grains without a line" | tee -a wrong
	fi
	if [ -s wrong ] || ! [ -s seen.report ]; then
		say "not ok" "$1"
	else
		say ok "$1"
	fi
}

if command -v gcc > /dev/null && gcc -fopenmp -O2 -g "$source" -o by-gcc; then
	for t in 1 2 4; do
		rm -f trace
		OMP_NUM_THREADS=$t "$build/winnow" record -o trace ./by-gcc > log 2>&1 && look trace
		check "gcc on libgomp, $t threads" yes
	done
fi
mkdir link
ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
for compiler in $clangs; do
	command -v $compiler > /dev/null && [ -e link/libomp.so ] || continue
	$compiler -fopenmp=libomp -O2 -g -Llink -idirafter $libomp_headers "$source" -o by-$compiler || continue
	for runtime in $libomps; do
		libomp=$build/runtimes/$runtime
		LD_LIBRARY_PATH=$libomp LD_BIND_NOW=1 ./by-$compiler > log 2>&1 || continue
		for t in 1 2 4; do
			rm -f trace
			LD_LIBRARY_PATH=$libomp OMP_NUM_THREADS=$t \
				"$build/winnow" record -o trace ./by-$compiler > log 2>&1 && look trace
			check "$compiler on libomp $runtime, $t threads" no
		done
		rm -f trace
		LD_LIBRARY_PATH=$libomp OMP_NUM_THREADS=2 WINNOW_OUT=$work/trace \
			OMP_TOOL_LIBRARIES=$build/libwinnow-record.so ./by-$compiler > log 2>&1 && look trace
		check_partly "$compiler on libomp $runtime, as a tool only"
	done
done
done_testing
