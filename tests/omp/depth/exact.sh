#!/bin/bash
# SPDX-License-Identifier: MIT
#
# exact.sh BUILD [DEPTH] - nested tasks of any depth are recorded as they were: trees that are far deeper than the
# recorder's array, and random beside the way down, have the number of tasks that the program counted, and all laws
# hold. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"
depth=${2:-2500}

# What is wrong with the recording of a run.
wrong() { # compiler, runtime, kind, threads, seed
	local tasks recorded
	rm -f trace
	if ! tasks=$(with_runtime "$2" timeout 120 "$build/winnow" record -o trace "$program" "$depth" "$3" "$4" "$5" \
		2> log); then
		echo "$4 threads: the program failed: $(tail -n 1 log)"
		return
	fi
	"$build/winnow" check trace > checked 2>&1 || echo "$4 threads: $(grep -v '^trace' checked | tail -n 3)"
	recorded=$("$build/winnow" report --json trace | jq '.graph | .explicit_tasks + .taskloop_tasks')
	[ "$recorded" = "$tasks" ] || echo "$4 threads: $recorded tasks recorded, $tasks made"
}

kilobytes=$((depth * 3 + 100000))
if ! ulimit -s $kilobytes 2> /dev/null; then
	echo "1..0 # SKIP the stack may not be made larger"
	exit 0
fi
export OMP_STACKSIZE=${kilobytes}K
for compiler in gcc $oldest_clang; do
	program=$(compiled depth tree.c "$compiler -O2") || continue
	for runtime in $(runtimes_of $compiler); do
		for kind in tied untied undeferred group loop mixed; do
			result "$compiler, runtime ${runtime##*/}: $kind tasks $depth levels deep" "$(
				for threads in 1 2; do
					wrong $compiler "$runtime" $kind $threads $((threads + depth))
				done
			)"
		done
	done
done
done_testing
