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

record() { # threads, program, its argument
	rm -f "$dir/trace.winnow"
	WINNOW_OUT=$dir/trace.winnow LD_PRELOAD=$recorder OMP_NUM_THREADS=$1 OMP_DYNAMIC=false \
		OMP_CANCELLATION=true timeout 60 "${@:2}"
}

# Prints what differs from the expectations.
differences() { # source, threads
	local T=$2 name value got
	while read -r name value; do
		got=$(sed -n "s/^$name //p" "$dir/counts")
		[ "$got" = "$((value))" ] || echo "$name: $got, expected $((value)) = $value, T=$T"
	done < <(remarks_of "$1" "$program" | sed -n 's/.*EXPECT: //p')
}

# Says $program that it is not for this libgomp?
is_for_another() {
	local entry
	entry=$(remarks_of "$source" "$program" | sed -n 's/.*na libgomp exporting \([A-Za-z_]*\):.*/\1/p')
	[ -n "$entry" ] && nm -D "$(gcc -print-file-name=libgomp.so)" | grep -q " $entry@"
}

# Everything of one program: $source, $program
run_program() {
	local level counts threads command cancelled=() name=${program:-${source##*/}} status broken wrong
	case $name in cancel*) cancelled=(--cancelled) ;; esac
	while read -r level counts; do
		command=$(compiled libgomp "${source##*/}" "gcc $level") || continue
		for threads in $counts; do
			# shellcheck disable=SC2086 # no word where a file has one program
			record "$threads" "$command" $program > "$dir/output" 2>&1
			status=$?
			"$check" "${cancelled[@]}" "$dir/trace.winnow" > "$dir/counts"
			broken=$?
			wrong=$(grep '^#' "$dir/counts"; differences "$source" "$threads")
			[ $status$broken = 00 ] || wrong+=$'\n'"exit $status, check $broken: $(cat "$dir/output")"
			result "$name $level, $threads threads" "$wrong"
		done
	done < <(covering "libgomp $name" "-O0 -O2" "1 2 4 8")
}

for source; do
	while read -r program; do
		is_for_another || run_program < /dev/null
	done < <(programs_in "$source")
done
done_testing
