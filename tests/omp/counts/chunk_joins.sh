#!/bin/bash
# SPDX-License-Identifier: MIT
#
# chunk_joins.sh BUILD - tasks made in chunks of a loop, joined at the barrier and, with --compat, at
# their chunk: the fork-joins that are counted are those that were counted by hand. TAP.
#
# chunk_tasks.c: a region of two threads, a loop of 6 chunks, 2 tasks in each chunk.
#   fork-joins of OpenMP:     1 of the region, 2 of the threads' shares of the loop, 2 of their barriers = 5
#   ... of the papers:        1 of the region, 2 of the threads' shares of the loop, 6 of the chunks     = 9
#   opened:                   1 + 2 + 6 by the chunks + 2 that have those of the chunks at the barriers  = 11
#   nodes of a reduced graph: 6 chunks + 12 tasks + 2 implicit tasks + 2 * fork-joins + start and end
set -u
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-chunks.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH OMP_SCHEDULE
unset MALLOC_PERTURB_ # as in tests/crash/common.bash
export OMP_DYNAMIC=false
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

counts() { # options for report...
	"$build/winnow" report --json "$@" "$work/t" | jq -c '.graph | [.chunks, .explicit_tasks, .fork_joins, .fork_joins_opened, .nodes]'
}

holds() { # what, actual, wanted
	result "$name: $1" "$([ "$2" = "$3" ] || echo "$2, not $3")"
}

try() { # program, runtime
	name=$2
	rm -f "$work/t"
	if ! timeout 60 "$build/winnow" record -o "$work/t" "$1" > "$work/output" 2> "$work/errors"; then
		result "$name: is recorded" "$(tail -n 1 "$work/errors")"
		return
	fi
	holds 'joined at the barrier' "$(counts)" '[6,12,5,11,32]'
	holds '--compat: joined at the chunk' "$(counts --compat)" '[6,12,9,11,40]'
	holds 'winnow check has both counts' "$("$build/winnow" check "$work/t" | sed -n 's/^graph: \(.*\), [0-9]* joins.*/\1/p')" \
		'5 fork-joins with children (11 opened)'
}

if ! command -v jq > /dev/null; then
	echo '1..0 # SKIP jq is missing'
	exit 0
fi
program=$(compiled chunk-joins chunk_tasks.c gcc) && try "$program" libgomp
for runtime in $libomps; do
	[ -e "$build/runtimes/$runtime/libomp.so.5" ] || continue
	program=$(compiled chunk-joins chunk_tasks.c "$oldest_clang") || continue
	export LD_LIBRARY_PATH=$build/runtimes/$runtime
	try "$program" "libomp $runtime"
	unset LD_LIBRARY_PATH
done
done_testing
