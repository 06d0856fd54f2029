#!/bin/bash
# SPDX-License-Identifier: MIT
#
# runtime-paused.sh BUILD - what a program does after it has paused its runtime (runtime_paused.c) is recorded, or
# the closing line, the report and `check` say how much of it is not, and since when. TAP.
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

# Both ways of running, with the same arguments: what is different.
run_both() { # program, arguments
	rm -f trace trace.*
	timeout 60 "$@" > plain 2> /dev/null
	local status=$?
	timeout 60 "$build/winnow" record -o trace "$@" > recorded 2> talk
	local now=$?
	[ $now -eq $status ] || echo "status $now, without us $status"
	cmp -s plain recorded || echo "prints $(cat recorded), without us $(cat plain)"
	grep '^winnow record: trace' talk > line
	"$build/winnow" report --json trace > report.json || echo "no report"
	"$build/winnow" check trace > checked
	echo $? > status
	grep -qF 'all laws hold' checked || echo "unlawful: $(cat checked)"
}

field() { # path, wanted
	local got
	got=$(jq -r "$1" report.json)
	[ "$got" = "$2" ] || echo "$1 is $got, not $2"
}

complete() { # tasks
	field .recording.complete true
	field .graph.explicit_tasks "$1"
	grep -q ' complete' line || cat line
	[ "$(cat status)" -eq 0 ] || cat checked
}

# Regions and tasks that are missing, as each reader says.
incomplete() { # tasks recorded, words, regions missing, tasks missing
	field .graph.explicit_tasks "$1"
	field .recording.complete false
	field .recording.unseen_regions "$3"
	field .recording.unseen_tasks "$4"
	grep -q ", the OpenMP runtime was shut down .*: $2 not recorded" line ||
		echo "closing line: $(cat line)"
	grep -q " s after the start of the recording .*: $2 not recorded" checked ||
		echo "check: $(cat checked)"
	[ "$(cat status)" -eq 3 ] || echo "check's status is $(cat status)"
	jq -r '.fidelity[] | select(.level == "lost") | .note' report.json | grep -q "$2 not recorded" ||
		echo "no limitation says it"
	"$build/winnow" report trace | grep -q "recording is incomplete" || echo "the text report does not"
}

libomps=()
for runtime in "$build"/runtimes/*/libomp.so.5; do
	[ -e "$runtime" ] && libomps+=("$(dirname "$runtime")")
done
compiler=$(command -v "$oldest_clang")
if [ -n "$compiler" ] && [ ${#libomps[@]} -gt 0 ]; then
	linked=$build/tests/programs/libomp
	"$compiler" -fopenmp=libomp -O1 -g -L"$linked" -idirafter "$linked" "$here/runtime_paused.c" -o by-clang -pthread || exit 1
else
	libomps=()
fi
both='8 parallel regions and 800 task constructs'
for runtime in "${libomps[@]}"; do
	export LD_LIBRARY_PATH=$runtime
	v="libomp $(basename "$runtime")"
	result "$v: soft pauses" "$(run_both ./by-clang soft 2; complete 1000)"
	result "$v: hard pauses" "$(run_both ./by-clang hard 2; incomplete 200 "$both" 8 800)"
	result "$v: one hard pause" \
		"$(run_both ./by-clang hard 9; incomplete 900 '1 parallel region and 100 task constructs' 1 100)"
	result "$v: of a device" "$(run_both ./by-clang device 2; incomplete 200 "$both" 8 800)"
	result "$v: a hard pause and nothing more" "$(run_both ./by-clang last 1; complete 1000)"
	result "$v: where the recorder is a tool alone" "$(
		rm -f trace
		WINNOW_OUT=$work/trace OMP_TOOL_LIBRARIES=$build/libwinnow-record.so ./by-clang hard 2 > recorded 2> talk
		"$build/winnow" report --json trace > report.json
		field .recording.complete false
		"$build/winnow" check trace | grep -q ": what ran after that is not recorded" || echo "check is silent"
		rm -f trace
		WINNOW_OUT=$work/trace OMP_TOOL_LIBRARIES=$build/libwinnow-record.so ./by-clang soft 2 > recorded 2> talk
		"$build/winnow" report --json trace > report.json
		field .recording.complete true
	)"
	# whose child ends in an assertion of its own, without us too
	[ "$(basename "$runtime")" = 14 ] || result "$v: a child goes on" "$(
		run_both ./by-clang fork 2
		field .graph.explicit_tasks 200
		field .recording.complete true
		grep -q ", the OpenMP runtime was shut down .*: $both not recorded" line || cat line
		"$build/winnow" check trace.* | grep -q ": $both not recorded" || echo "nothing about the child"
	)"
done

# It aborts with "Thread identifier invalid"; later versions then wait for ever.
export LD_LIBRARY_PATH=$build/runtimes/14
if [ -e by-clang ] && [ -e "$LD_LIBRARY_PATH/libomp.so.5" ]; then
	result "a runtime that aborts after the pause" "$(
		run_both ./by-clang kept 2
		field .recording.complete false
		field .program.signal 6
		field .program.exit_status 134
		grep -q ' complete' line && cat line
	)"
fi
unset LD_LIBRARY_PATH

if command -v gcc > /dev/null; then
	gcc -fopenmp -O1 -g "$here/runtime_paused.c" -o by-gcc || exit 1
	for how in soft hard threads; do
		result "libgomp: $how" "$(run_both ./by-gcc $how 2; complete 1000)"
	done
	mkdir stand-in
	for runtime in "${libomps[@]}"; do
		ln -sf "$runtime/libomp.so.5" stand-in/libgomp.so.1
		result "gcc's program on libomp $(basename "$runtime")" "$(
			export LD_LIBRARY_PATH=$work/stand-in
			run_both ./by-gcc hard 2
			incomplete 200 '8 parallel regions' 8 0
		)"
	done
fi
done_testing
