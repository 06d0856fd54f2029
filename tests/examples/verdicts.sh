#!/bin/bash
# SPDX-License-Identifier: MIT
#
# verdicts.sh BUILD WORK - the corpus of verdicts (doc/verdicts.md): its descriptors are complete, an incomplete one is
# refused, thirteen cases run, the table counts what it is given, and no two statements of the reports of other tests
# contradict each other. TAP.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$root/tests/tap.bash"
cd "$work" || exit 1
verdict() { "$root/bench/verdict.sh" "$@"; }
check() { "$root/tools/check-statements.sh" "$@"; }
mkdir -p golden
awk '/^=== / { file = "golden/" $2; next } { print > file }' "$root/tests/report/golden.json"

# what is not right about the number of cases of a kind: KIND LEAST
count() {
	local n
	n=$(jq -r --arg kind "$1" 'select(.kind == $kind) | .case' cases | wc -l)
	[ "$n" -ge "$2" ] || echo "$n of kind $1"
}

# NAME SED-EXPRESSION FILE WORDS: a copy of the cases with that change is refused with those words
refused() {
	rm -rf copy && cp -r "$root/bench/verdicts" copy && sed -i "$2" "copy/$3"
	verdict list --cases copy 2> said > /dev/null && echo "taken" >> said
	result "a descriptor $1 is refused" "$(grep -qx taken said && echo "it is not"; grep -q "$4" said || cat said)"
}

runs=runs.jsonl
kept=$build/verdicts # programs of the cases, compiled when they change
mkdir -p "$kept"

# has_samples any|all CASE: do runs have samples of their code, and threads that hardly waited for a CPU, nor others for them?
has_samples() {
	[ "$(uname -m)" = x86_64 ] && jq -es --arg case "$2" "$1"'(.[] | select(.case == $case).report; .time.off_cpu_percent != null and
		.time.off_cpu_percent < 2 and (.totals.off_cpu_unknown_ns // 0) + (.totals.woken_ns // 0) < 0.02 * .time.thread_ns)' "$runs" > /dev/null
}

# CASE NAME FILTER: a run of the case is as the filter says, if there are samples
by_samples() {
	if has_samples any "$1"; then
		result "$2" "$(jq -es --arg case "$1" 'def is_at($lines): .line as $line | any($lines[]; . - 1 <= $line and $line <= . + 2);
			any(.[] | select(.case == $case); .lines as $lines | '"$3"')' "$runs" > /dev/null || cat "$runs")"
	else
		say ok "$2 # SKIP no samples"
	fi
}

# NAME FILTER: the report of a loop, changed by the filter, contradicts itself
contradicts() {
	jq "$2" golden/loop.json > changed.json
	result "a report contradicts itself: $1" "$(check changed.json > said && echo "not found"; grep -q . said || cat said)"
}

result "descriptors are complete" "$(verdict list 2>&1 > cases)"
result "the corpus is large enough" "$(count fault 60; count sound 25; count setting 12)"
refused "without a field" 's/ | static schedule of a triangular loop//' loops.c "triangle has not all fields"
refused "without a place" 's/here: triangle /there /' loops.c "triangle has no place"
refused "without code" 's/ifdef CASE_fib$/ifdef CASE_fob/' tasks_fine.c "fib has no code"
refused "of a name in use" 's/fault mutual /fault fib /' tasks_fine.c "fib is there twice"

if command -v gcc > /dev/null; then
	rm -f runs.jsonl alone.jsonl
	result "fourteen cases run" "$(verdict run --build "$build" --keep "$kept" --cc gcc --repeat 1 --output runs.jsonl atomic_hot atomic_scatter chain \
			count_done cxx_bins each_fills_all kmeans lags_in_turn loop_static malloc_pages minmax nowait one_requested transpose 2>&1
		[ "$(jq -r 'select(.report.schema and .plain_ns > 0 and .fixed_ns > 0) | .case' runs.jsonl | sort | tr '\n' ' ')" = \
			"atomic_hot atomic_scatter chain count_done cxx_bins each_fills_all kmeans lags_in_turn loop_static malloc_pages minmax nowait one_requested transpose " ] || cat runs.jsonl)"
	result "they have a table" "$(verdict table runs.jsonl > table || echo failed; grep -qx '14 runs of 14 cases' table || cat table)"
	# only x86-64 is sure to update memory by an instruction
	if [ "$(uname -m)" = x86_64 ]; then
		result "an atomic update in a loop is found in the program's code" "$(jq -es 'any(.[] | select(.case == "atomic_hot");
			.lines as $lines | any(.report.advice[]; .rule == "contended_atomic" and
				(.line as $line | any($lines[]; . - 1 <= $line and $line <= . + 2))))' runs.jsonl > /dev/null || cat runs.jsonl)"
		result "a store to an address that a function gets is found, too" "$(jq -es 'any(.[] | select(.case == "minmax");
			.lines as $lines | any(.report.advice[]; .rule == "false_sharing" and
				(.line as $line | any($lines[]; . - 1 <= $line and $line <= . + 2))))' runs.jsonl > /dev/null || cat runs.jsonl)"
		result "elements that threads take in turn are found, too" "$(jq -es 'any(.[] | select(.case == "lags_in_turn");
			.lines as $lines | any(.report.advice[]; .rule == "false_sharing" and .line == $lines[-1]))' runs.jsonl > /dev/null || cat runs.jsonl)"
		result "a loop that each thread executes completely is found" "$(jq -es 'any(.[] | select(.case == "each_fills_all");
			.lines as $lines | any(.report.advice[]; .rule == "repeated_work" and
				(.line as $line | any($lines[]; . - 1 <= $line and $line <= . + 2))))' runs.jsonl > /dev/null || cat runs.jsonl)"
		result "elements of columns are far apart, and no counts of threads" "$(jq -es 'any(.[] | select(.case == "transpose");
			.lines as $lines | .report.advice | any(.[]; .rule == "strided_access" and .line == $lines[-1]) and all(.[]; .rule != "false_sharing"))' runs.jsonl > /dev/null || cat runs.jsonl)"
	else
		say ok "elements of columns are far apart, and no counts of threads # SKIP not x86-64"
		say ok "an atomic update in a loop is found in the program's code # SKIP not x86-64"
		say ok "elements that threads take in turn are found, too # SKIP not x86-64"
		say ok "a loop that each thread executes completely is found # SKIP not x86-64"
		say ok "a store to an address that a function gets is found, too # SKIP not x86-64"
	fi
	result "loops of opposite imbalance need no barrier between them" "$(jq -es 'any(.[] | select(.case == "nowait"); any(.report.advice[];
		.try | startswith("nowait ")) or .report.time.off_cpu_percent > 5)' runs.jsonl > /dev/null || cat runs.jsonl)"
	by_samples count_done "busy waiting is found in the program's code" \
		'any(.report.advice[]; .rule == "busy_wait" and .gain_low_ns > .of_ns / 10 and is_at($lines))'
	by_samples cxx_bins "atomic updates of several bins are found by samples" \
		'any(.report.advice[]; .rule == "contended_atomic" and .gain_ns > .of_ns / 3 and is_at($lines))'
	by_samples kmeans "atomic updates of few elements behind a pointer are found by their memory" \
		'any(.report.advice[]; .rule == "contended_atomic" and is_at($lines))'
	by_samples malloc_pages "page faults have the place of the call that touches the pages" \
		'any(.report.advice[]; .rule == "page_faults" and .line == $lines[-1])'
	# a run has about seven samples there, and needs six
	verdict run --build "$build" --keep "$kept" --cc gcc --threads 1 --repeat 6 --output alone.jsonl cxx_bins > said 2>&1
	runs=alone.jsonl by_samples cxx_bins "and on one thread, where there is no contention" \
		'any(.report.advice[]; .rule == "contended_atomic" and is_at($lines) and (.message | contains("single thread")))'
	by_samples atomic_scatter "those of a large array, which rarely meet, are none" \
		'all(.report.advice[]; .rule != "contended_atomic")'
else
	say ok "atomic updates of several bins are found by samples # SKIP no gcc"
	say ok "and on one thread, where there is no contention # SKIP no gcc"
	say ok "those of a large array, which rarely meet, are none # SKIP no gcc"
	say ok "loops of opposite imbalance need no barrier between them # SKIP no gcc"
	say ok "busy waiting is found in the program's code # SKIP no gcc"
	say ok "atomic updates of few elements behind a pointer are found by their memory # SKIP no gcc"
	say ok "elements that threads take in turn are found, too # SKIP no gcc"
	say ok "a loop that each thread executes completely is found # SKIP no gcc"
	say ok "page faults have the place of the call that touches the pages # SKIP no gcc"
	say ok "elements of columns are far apart, and no counts of threads # SKIP no gcc"
	say ok "fourteen cases run # SKIP no gcc"
	say ok "they have a table # SKIP no gcc"
	say ok "an atomic update in a loop is found in the program's code # SKIP no gcc"
	say ok "a store to an address that a function gets is found, too # SKIP no gcc"
fi

# the flushes of a loop that waits are calls of libomp, in which the samples are
if command -v clang-14 > /dev/null; then
	rm -f runs.jsonl
	verdict run --build "$build" --keep "$kept" --cc clang --repeat 3 --output runs.jsonl flush_steps > said 2>&1
	if has_samples all flush_steps; then
		# where no sample is in the loop itself, its function is named
		result "a loop that waits by calls of the runtime is found" "$(jq -es 'all(.[]; any(.report.advice[]; .rule == "busy_wait")) and
			any(.[]; .lines as $lines | any(.report.advice[]; .rule == "busy_wait" and .gain_low_ns > .of_ns / 10 and
				(.line as $line | any($lines[]; . - 1 <= $line and $line <= . + 2))))' runs.jsonl > /dev/null || cat runs.jsonl)"
	else
		say ok "a loop that waits by calls of the runtime is found # SKIP no samples"
	fi
	verdict run --build "$build" --keep "$kept" --cc clang --threads 1 --repeat 2 --output calls.jsonl fib_entry > said 2>&1
	runs=calls.jsonl by_samples fib_entry "calls of the runtime that no event covers are found" \
		'any(.report.advice[]; .rule == "runtime_calls" and .gain_expected_ns > .of_ns / 5 and is_at($lines))'
else
	say ok "a loop that waits by calls of the runtime is found # SKIP no clang"
	say ok "calls of the runtime that no event covers are found # SKIP no clang"
fi

# One report as the runs of two cases: a real gain inside the range, above the bound, at another place; a false alarm.
jq -c '.advice[0] += {file: "a.c", line: 7} | {kind: "fault", case: "right", file: "a.c", lines: [6], causes: ["uneven_loop"],
	compiler: "gcc", threads: 2, disturbed: false, round: 1, plain_ns: 3000000, recorded_ns: 3000000, fixed_ns: 1900000, report: .}
	| ., (.case = "above" | .fixed_ns = 1000000), (.case = "elsewhere" | .lines = [20]), (.case = "other" | .causes = ["small_tasks"]),
	(.case = "free" | .fixed_ns = 2990000), (.kind = "sound" | .case = "sound" | .causes = [] | .fixed_ns = 3000000),
	(.case = "silent" | .report.advice = [])' golden/loop.json > made.jsonl
verdict table made.jsonl > table
result "the table counts right and wrong verdicts" "$(
	while read -r line; do
		grep -qF "$line" table || echo "missing: $line"
	done << 'END'
7 runs of 7 cases
faults that cost over 5 %: first finding names place and cause 40 % (2 of 5)
cause 60 % (3 of 5); listed anywhere 40 % (2 of 5)
of these: real gain in the stated range 50 % (1 of 2), at most the bound 50 % (1 of 2)
sound runs with a finding over 5 %: 100 % (1 of 1)
runs without a finding that lose over 10 %: 20 % (1 of 5)
faults and settings that cost nothing there: 1 runs, 1 with a finding over 5 %
1 x above gcc 2
END
)"

result "no two statements of the reports of other tests contradict each other" "$(check golden/*.json)"
contradicts "categories that do not add up" '.time.work_percent += 1'
contradicts "a saving of more than the time" '.advice[0].gain_ns = 4000000'
contradicts "a saving of the work itself" '.advice[0].gain_ns = 2000000'
contradicts "savings that are not in order" '.advice[0].gain_low_ns = .advice[0].gain_high_ns'
contradicts "a saving for certain of more than was lost" '.advice[0].loss_ns = .advice[0].gain_low_ns / 2'
contradicts "findings that save more together than was lost" '.advice += [.advice[0] + {place: "other"}]'
contradicts "a speed-up above the CPUs" '.totals.best_case_ns = 900000'
contradicts "a best case that is worse" '.totals.best_case_ns = 4000000'
contradicts "no problem beside a finding" '.headline = ["No significant problem found."]'
contradicts "no problem beside lost time" '.headline = ["No significant problem found."] | .advice = []'
contradicts "one finding twice" '.advice += .advice'
done_testing
