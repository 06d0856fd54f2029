#!/bin/bash
# SPDX-License-Identifier: MIT
#
# kill.sh BUILD [N [RUNTIME...]] - kills programs of each kind N times (2) on each runtime (libgomp, 14 and
# 19) at random moments: programs/steady.c, which makes tasks without a pause, and those of
# programs/kinds.c. What is left is read, obeys all laws of `winnow check`, has a report that does not call
# itself complete, all that had ended by then, as the program itself counted in memory that outlives it, and
# nothing that had not begun. TAP: a line for each kind and runtime, and the figures of all. WN_KILL_KINDS
# narrows the kinds; WN_KILL_KEEP is a folder for traces that fail.
#
#     tests/crash/kill.sh build 1000 libgomp 14 16 19       # the whole campaign, some hours
#
# Every second time `winnow record` is killed first, so that nobody finishes the trace.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"
n_kills=${2:-2}
[ "$WN_CHOICE" != all ] || n_kills=${2:-4}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- libgomp $two_libomps
kinds=${WN_KILL_KINDS:-steady fib untied depend dynamic guided nested taskloop locks}
n_all=0 n_empty=0 n_unreadable=0 n_unlawful=0 n_lost=0 n_ended=0

# The program has started; then for up to 60 ms more.
random_moment() {
	local i
	for ((i = 0; i < 1000; i++)); do
		[ ! -s "$work/counters" ] || break
		sleep 0.003
	done
	sleep "$(printf '0.%04d' $((RANDOM % 600)))"
}

is_gone() { # process
	[ ! -e "/proc/$1" ] || [ "$(cut -d ' ' -f 3 "/proc/$1/stat" 2> "$work/ignored")" = Z ]
}

# Leaves what a killed program leaves; false if it did not run.
kill_one() { # is `winnow record` killed, command...
	local launcher program is_alone=$1 status
	shift
	rm -f "$work"/t "$work"/t.* "$work/counters" "$work/trace"
	"$build/winnow" record -o "$work/t" "$@" "$work/counters" > "$work/recorded" 2> "$work/talk" &
	launcher=$!
	random_moment
	program=$(cat "/proc/$launcher/task/$launcher/children" 2> "$work/ignored")
	program=${program%% *}
	if [ -z "$program" ]; then
		why "the program does not run"
		wait "$launcher"
		return 1
	fi
	[ "$is_alone" = no ] || kill -9 "$launcher"
	kill -9 "$program"
	wait "$launcher" 2> "$work/ignored"
	status=$?
	[ $status -eq 137 ] || why "exit status $status"
	while ! is_gone "$program"; do
		sleep 0.005
	done
}

unlawful() {
	why "$*"
	n_unlawful=$((n_unlawful + 1))
}

# The commands that people use say the same as crash-look.
judge_commands() {
	if ! "$build/winnow" check "$work/t" > "$work/checked" 2>&1; then
		unlawful "check: $(grep -v 'all laws hold' "$work/checked" | tail -n 1)"
	elif ! "$build/winnow" report --json "$work/t" > "$work/report" 2> "$work/talk"; then
		unlawful "report: $(tail -n 1 "$work/talk")"
	elif [ "$(jq .recording.complete "$work/report")" != false ]; then
		unlawful "the report calls itself complete"
	fi
}

judge() {
	n_all=$((n_all + 1))
	if [ ! -e "$work/t" ]; then
		n_empty=$((n_empty + 1))
		return
	fi
	if ! "$look" "$work/t" "$work/counters" > "$work/trace"; then
		why "not readable: $(grep -E '^(open|graph) ' "$work/trace")"
		n_unreadable=$((n_unreadable + 1))
		return
	fi
	if [ "$(value graph)" = empty ]; then
		n_empty=$((n_empty + 1))
		return
	fi
	[ "$(value graph)" = sound ] || unlawful "graph: $(value graph)"
	if [ "$(value lost)" != 0 ]; then
		why "lost $(value lost)"
		n_lost=$((n_lost + 1))
	fi
	holds state recording invented 0 gaps 0 bad_bytes 0 dropped 0 bad_blocks 0
	judge_commands
	n_ended=$((n_ended + $(value ended)))
}

for name in steady kinds; do
	for compiler in gcc $oldest_clang; do
		program=$(compiled crash $name.c $compiler) && cp "$program" "$work/$name.$compiler"
	done
done
[ -e "$work/kinds.gcc" ] || exit 1
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=4 OMP_MAX_ACTIVE_LEVELS=2
for runtime; do
	compiler=gcc
	if [ "$runtime" != libgomp ]; then
		compiler=$oldest_clang
		[ -e "$runtimes/$runtime/libomp.so.5" ] && [ -e "$work/kinds.$oldest_clang" ] || continue
	fi
	use_runtime "$runtime"
	for kind in $kinds; do
		command=("$work/kinds.$compiler" "$kind")
		[ "$kind" != steady ] || command=("$work/steady.$compiler")
		for ((k = 0; k < n_kills; k++)); do
			! kill_one "$([ $((k % 2)) -eq 0 ] && echo no || echo yes)" "${command[@]}" || judge
			[ ! -s "$work/why" ] || [ -z "${WN_KILL_KEEP:-}" ] || cp "$work/t" "$WN_KILL_KEEP/$runtime-$kind-$k"
		done
		rm -f "$work/talk"
		verdict "killed $n_kills times: $kind, $runtime"
	done
	unset LD_LIBRARY_PATH
done
echo "# $n_all kills, $n_empty before anything was recorded; $n_ended tasks and iterations had ended"
echo "# unreadable $n_unreadable, unlawful $n_unlawful, lost $n_lost"
done_testing
