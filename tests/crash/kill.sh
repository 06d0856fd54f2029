#!/bin/bash
# SPDX-License-Identifier: MIT
#
# kill.sh BUILD [N] - kills a program that makes tasks without a pause, N times (20) at random moments,
# and looks at what is left. Every task that had ended, as the program itself counted in memory that
# outlives it, is in the trace, and none that it had not made. TAP.
#
# Every second time `winnow record` is killed first, so that nobody finishes the trace.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"
n_kills=${2:-20}
n_empty=0 n_tasks=0

# Waits until the program has started, then for up to 0.1 s.
random_moment() {
	local i
	for ((i = 0; i < 500; i++)); do
		[ ! -s "$work/t" ] || break
		sleep 0.005
	done
	sleep "$(printf '0.%03d' $((RANDOM % 100)))"
}

kill_once() { # compiler, is `winnow record` killed
	local launcher program
	rm -f "$work"/t "$work"/t.* "$work/counters" "$work/trace"
	"$build/winnow" record -o "$work/t" "$work/steady.$1" "$work/counters" > "$work/recorded" 2> "$work/talk" &
	launcher=$!
	random_moment
	program=$(cat "/proc/$launcher/task/$launcher/children" 2> "$work/ignored")
	program=${program%% *}
	if [ -z "$program" ]; then
		why "the program does not run"
		return
	fi
	[ "$2" = no ] || kill -9 "$launcher"
	kill -9 "$program"
	wait "$launcher" 2> "$work/ignored"
	local status=$?
	[ $status -eq 137 ] || why "exit status $status"
	while [ -e "/proc/$program" ] && [ "$(cut -d ' ' -f 3 "/proc/$program/stat" 2> "$work/ignored")" != Z ]; do
		sleep 0.01
	done
	read_trace "$work/t" "$work/counters"
	if [ "$(value graph)" = empty ]; then
		n_empty=$((n_empty + 1))
		return
	fi
	holds state recording graph sound lost 0 invented 0 gaps 0 bad_bytes 0 dropped 0
	n_tasks=$((n_tasks + $(value ended)))
}

compile_all || exit 1
export OMP_WAIT_POLICY=passive
while read -r compiler runtime; do
	use_runtime "$runtime"
	for ((k = 0; k < n_kills; k++)); do
		kill_once "$compiler" "$([ $((k % 2)) -eq 0 ] && echo no || echo yes)"
		[ ! -s "$work/why" ] || break
	done
	verdict "killed $n_kills times: $compiler, $runtime"
	echo "# $n_tasks tasks had ended by then; $n_empty traces without an event"
	unset LD_LIBRARY_PATH
done < <(kinds 14 19)
done_testing
