#!/bin/bash
# SPDX-License-Identifier: MIT
#
# sharing.sh BUILD WORK ORDER - what `winnow count --sharing` finds in programs whose grains share
# cache lines in a known way (sharing.c), by each compiler and number of threads; and the order of
# their tasks against paths in the drawn graph (ORDER, order.c). Prints TAP.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$2
order=$(realpath "$3")
winnow=$build/winnow
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES WINNOW_OUT WINNOW_BACK WINNOW_SOURCE
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"

tap_check() { # SENTENCE COMMAND...: does the command succeed?
	local sentence=$1
	shift
	if "$@" > why 2>&1; then
		result "$sentence" ""
	else
		result "$sentence" "$(cat why; echo "it failed")"
	fi
}

if [ ! -e "$build/libwinnow-native.so" ] || ! command -v jq > /dev/null; then
	echo "1..0 # SKIP there is no native engine, or no jq"
	exit 0
fi

# case: what is shared, as kind and data, on two threads or more; the same on one thread, where it differs
expected() { # CASE THREADS COMPILER
	case $1.$2 in
	adjacent.1 | atomic.1 | stack.1 | true.1) return ;;
	*.1) [ "$3" = gcc ] || return ;; # libomp defers no task in a team of one
	esac
	case $1.$2 in
	adjacent.*) echo "false_sharing adjacent" ;;
	atomic.*) echo "contended_atomic counter" ;;
	stack.*) echo "false_sharing a variable on the stack of the initial thread" ;;
	true.*) echo "true_sharing counter" ;;
	members.*) echo "false_sharing pair" ;;
	heap.*) echo "false_sharing block of 256" ;;
	taskatomic.*) echo "contended_atomic counter" ;;
	outlives.*) echo "false_sharing pair" ;;
	esac
}

# The block's size is what the allocator gave, and which two of its elements are the example depends on the run.
found() { # CASE THREADS COMPILER
	OMP_NUM_THREADS=$2 "$winnow" count --sharing -o t.winnow "./$3" "$1" > out 2> err || return 1
	"$winnow" report --json t.winnow 2> /dev/null |
		jq -r '.sharing[] | select(.transfers >= 1000) | .kind + " " +
			(if .block_bytes == null then (.data | sub(" \\+ .*"; ""))
			 elif .block_bytes >= 256 and .block_bytes < 288 then "block of 256" else .data end)' |
		sort -u
}

is_as_expected() { # CASE THREADS COMPILER
	local is wanted
	is=$(found "$@") || { cat err; return 1; }
	wanted=$(expected "$@")
	echo "found: $is; expected: $wanted"
	[ "$is" = "$wanted" ]
}

cases='adjacent padded atomic critical lock stack true phases halves table slots members heap taskatomic depend taskwait
	group creator outlives blocks'
for compiler in gcc clang; do
	command -v $compiler > /dev/null || continue
	$compiler -O1 -g -fopenmp -o $compiler "$here/sharing.c" 2> why || {
		cat why >&2
		continue
	}
	for case in $cases; do
		for threads in 1 2 4; do
			tap_check "$compiler: $case on $threads threads" is_as_expected $case $threads $compiler
		done
	done
	for case in members depend taskwait group creator outlives; do
		OMP_NUM_THREADS=2 "$winnow" record -o "$case.winnow" ./$compiler $case > out 2> err
		tap_check "$compiler: the order of the tasks of $case" "$order" "$case.winnow"
	done
done

says_none() {
	OMP_NUM_THREADS=2 "$winnow" count --sharing -o t.winnow ./gcc padded > out 2> err &&
		"$winnow" report t.winnow > out && cat out && grep -q "no significant sharing" out
}
says_nothing() {
	OMP_NUM_THREADS=2 "$winnow" count -o t.winnow ./gcc adjacent > out 2> err &&
		"$winnow" report t.winnow > out && ! grep "False sharing" out &&
		"$winnow" report --json t.winnow | jq -e '.sharing == null'
}
if [ -x gcc ]; then
	tap_check "that nothing is shared is said" says_none
	tap_check "what was not asked for is null" says_nothing
fi
done_testing
