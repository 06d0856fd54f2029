#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD CHECK WORK [PROGRAM...] - records each program, which gcc has compiled without and with optimisation
# (tests/programs), on the installed libgomp with 1, 2, 4 and 8 threads, and checks the trace. Each number of threads
# runs with one of the two, which one depends on the choice (tests/tap.bash). TAP.
#
# A program's "EXPECT: name value" lines hold for every number of threads T; the value is shell
# arithmetic. What is not expected is still checked against the rules of stream.c.
set -u
build=$(realpath "$1") check=$(realpath "$2") dir=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"
recorder=$build/libwinnow-record.so
[ $# -gt 0 ] || set -- "$here"/programs/*
mkdir -p "$dir"

record() { # program, threads
	rm -f "$dir/trace.winnow"
	WINNOW_OUT=$dir/trace.winnow LD_PRELOAD=$recorder OMP_NUM_THREADS=$2 OMP_DYNAMIC=false \
		OMP_CANCELLATION=true timeout 60 "$1"
}

# Prints what differs from the expectations.
differences() { # source, threads
	local T=$2 name value got
	while read -r name value; do
		got=$(sed -n "s/^$name //p" "$dir/counts")
		[ "$got" = "$((value))" ] || echo "$name: $got, expected $((value)) = $value, T=$T"
	done < <(sed -n 's/.*EXPECT: //p' "$1")
}

# Says the source that it is not for this libgomp?
is_for_another() { # source
	local entry
	entry=$(sed -n 's/.*na libgomp exporting \([A-Za-z_]*\):.*/\1/p' "$1")
	[ -n "$entry" ] && nm -D "$(gcc -print-file-name=libgomp.so)" | grep -q " $entry@"
}

for source; do
	name=${source##*/}
	! is_for_another "$source" || continue
	cancelled=()
	case $name in cancel*) cancelled=(--cancelled) ;; esac
	while read -r level counts; do
		program=$(compiled libgomp "$name" "gcc $level") || continue
		for threads in $counts; do
			record "$program" "$threads" > "$dir/output" 2>&1
			status=$?
			"$check" "${cancelled[@]}" "$dir/trace.winnow" > "$dir/counts"
			broken=$?
			wrong=$(grep '^#' "$dir/counts"; differences "$source" "$threads")
			[ $status$broken = 00 ] || wrong+=$'\n'"exit $status, check $broken: $(cat "$dir/output")"
			result "$name $level, $threads threads" "$wrong"
		done
	done < <(covering "libgomp $name" "-O0 -O2" "1 2 4 8")
done
done_testing
