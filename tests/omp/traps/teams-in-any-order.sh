#!/bin/bash
# SPDX-License-Identifier: MIT
#
# teams-in-any-order.sh BUILD - leagues and regions of each kind after each other kind
# (teams_in_any_order.c): libomp gives a league's initial task what is left of an older region. The graph
# has no event that lacks what it belongs to. TAP.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH MALLOC_PERTURB_ OMP_NUM_THREADS
ulimit -c 0

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-trap.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

# What is wrong with recordings of leagues of every size.
differences() { # program, numbers of threads
	local size threads
	for size in 1 2 3 4; do
		for threads in $2; do
			rm -f trace
			OMP_NUM_THREADS=$threads timeout 30 "$build/winnow" record -o trace "$1" $size > talk 2>&1 ||
				echo "size $size, $threads threads: status $?, $(tail -n 1 talk)"
			grep -q ' complete' talk || echo "size $size, $threads threads: $(tail -n 1 talk)"
			"$build/winnow" check trace > checked || echo "size $size, $threads threads: unlawful"
			grep -vE '^((trace|graph|groups): |recording: complete)' checked | sed "s/^/size $size, $threads threads: /"
			"$build/winnow" report --json trace > report.json
			jq -e '.recording.complete' report.json > /dev/null ||
				echo "size $size, $threads threads: not complete"
		done
	done
}

if command -v gcc > /dev/null; then
	gcc -fopenmp -DHAS_LOOP -O1 -g "$here/teams_in_any_order.c" -o by-gcc 2> /dev/null || exit 1
	result "gcc, libgomp" "$(differences ./by-gcc "1 3")"
fi
mkdir link
ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
for pair in $libomp_ways; do
	compiler=${pair%,*} runtime=$build/runtimes/${pair#*,}
	command -v "$compiler" > /dev/null || continue
	[ -e "$runtime/libomp.so.5" ] || continue
	# with more threads the versions before hang here, without us too
	threads=$([ "$runtime" = "$build/runtimes/$newest_libomp" ] && echo "1 3" || echo 1)
	loop=$([ "$compiler" = clang-14 ] || echo -DHAS_LOOP)
	# nothing where there is none
	# shellcheck disable=SC2086
	"$compiler" -fopenmp=libomp $loop -O1 -g -Llink -idirafter $libomp_headers "$here/teams_in_any_order.c" \
		-o by-clang 2> /dev/null || continue
	result "$compiler, libomp ${pair#*,}" "$(LD_LIBRARY_PATH=$runtime differences ./by-clang "$threads")"
done
done_testing
