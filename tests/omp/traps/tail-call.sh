#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tail-call.sh BUILD - a construct that is the last act of a function has its own line, or the report says
# that it is not known (tail_call.c). TAP.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH MALLOC_PERTURB_

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
source=$here/tail_call.c
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-trap.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

# "kind line" of every line that may be named
awk 'match($0, /@[a-z_]+/) { print substr($0, RSTART + 1, RLENGTH - 1), NR }' "$source" > lines
grep -E '^(implicit|task|lock) ' lines > wanted
sed -n 's/^task_or_unsure/task/p; s/^unsure/task/p; s/^alike/task/p' lines > allowed
sed -n 's/^alike/task/p' lines > alike
sed -n 's/^unsure //p' lines > unsure

# What is wrong with the report on $1.
differences() { # trace
	"$build/winnow" report --json "$1" > report.json || return
	jq -r '(.sites + .mutexes)[] | "\(.kind) \(.line)"' report.json | sort -u > seen
	grep -vxF -f seen wanted | sed 's/^/not seen: /'
	grep -vxF -f wanted -f allowed seen | sed 's/^/not its line: /'
	# what is not said of an unsure place
	jq -r '.fidelity[] | select(.note | contains("jump to the runtime") or contains("call without a line")) |
		.place' report.json | sed 's/.*://' > said
	grep -xF -f alike seen > merged
	if [ "$(grep -c . merged)" -eq 1 ]; then
		grep -qxF "$(sed 's/^task //' merged)" said || echo "nothing is said of two that are one: $(cat merged)"
		sed -i "/^$(sed 's/^task //' merged)\$/d" said
	fi
	sed -n 's/^task //p' seen | grep -xF -f unsure | grep -vxF -f said | sed 's/^/nothing is said of line /'
	grep -vxF -f unsure said | sed 's/^/line is said to be unsure: /'
}

if command -v gcc > /dev/null; then
	for level in 0 1 2 3; do
		gcc -fopenmp "-O$level" -g "$source" -o by-gcc
		rm -f trace
		"$build/winnow" record -o trace ./by-gcc > log 2>&1
		result "gcc -O$level" "$(differences trace)"
	done
fi
mkdir link
ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
for compiler in $clangs; do
	command -v $compiler > /dev/null || continue
	[ -e link/libomp.so ] || continue
	for flags in -O0 -O1 -O2 -O3 '-O2 -fno-plt' '-O2 -gdwarf-4 -no-pie' '-O2 -fcf-protection'; do
		# a list of flags
		# shellcheck disable=SC2086
		$compiler -fopenmp=libomp -g $flags -Llink -idirafter $libomp_headers "$source" -o by-$compiler || continue
		for way in record tool; do
			rm -f trace
			if [ $way = record ]; then
				LD_LIBRARY_PATH=$build/runtimes/$newest_libomp "$build/winnow" record -o trace ./by-$compiler > log 2>&1
			else
				LD_LIBRARY_PATH=$build/runtimes/$newest_libomp WINNOW_OUT=$work/trace \
					OMP_TOOL_LIBRARIES=$build/libwinnow-record.so ./by-$compiler > log 2>&1
			fi
			result "$compiler $flags, $way" "$(differences trace)"
		done
	done
done
done_testing
