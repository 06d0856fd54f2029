#!/bin/bash
# SPDX-License-Identifier: MIT
#
# switches.sh BUILD - when threads are off the CPU is recorded, agrees with the kernel's own statistics, and the
# program does not notice it: no descriptor, forked children, filters of system calls, limits. TAP.
#
# No wall time is compared with a constant: sums of the recording are compared with sums that the program itself
# has measured at the same time. What it waits for a CPU after that, until the recording ends, is recorded but not measured:
# on a busy machine it may be more than the slack, so that one run of five is enough.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

cd "$work" || exit 1
cp "$(compiled living offcpu.c gcc)" offcpu.gcc || exit 1
kinds='offcpu.gcc libgomp'
if program=$(compiled living offcpu.c clang-14) && cp "$program" offcpu.clang; then
	kinds="$kinds
offcpu.clang 19"
fi

# switched THREAD KIND: the nanoseconds of preempted, blocked or unknown
switched() {
	"$build/winnow" dump --limit 1 "$work/t" 2> /dev/null | sed -n "s/^switches $1 .*$2 [0-9]* \([0-9]*\).*/\1/p"
}

missing() {
	"$build/winnow" dump --limit 1 "$work/t" 2> /dev/null | sed -n 's/^switches-missing//p'
}

# within PERCENT WHAT OURS "LEAST [MOST]" [UNKNOWN]: ours is no less than the least that was measured and no more than the most,
# but for that or 2 ms. A recording begins before the program's own measurement does (LEAST), after the thread was made (MOST).
# UNKNOWN ns may have been it as well: a ring is smaller where other recordings have taken the user's memory for rings, and
# what it loses is said to be unknown.
within() {
	awk -v p="$1" -v a="$3" -v measured="$4" -v unknown="${5-0}" 'BEGIN {
		n = split(measured, m); least = m[1]; most = m[n]
		slack = most * p / 100 > 2e6 ? most * p / 100 : 2e6
		exit !(a != "" && n > 0 && a + unknown >= least - slack && a <= most + slack)
	}' || why "$2: recorded $3 ns, unknown ${5-0} ns, measured $4 ns"
}

# one_of_five FUNCTION: runs it until nothing speaks against it
one_of_five() {
	local i
	for i in 1 2 3 4 5; do
		: > why
		"$1"
		[ -s why ] || return
	done
}

# two processes on one CPU
compete() {
	taskset -c "$cpu" "./$program" compete 4 > /dev/null &
	local competitor=$!
	run_recorded taskset -c "$cpu" "./$program" compete 1
	kill $competitor 2> /dev/null
	wait $competitor 2> /dev/null
	within 2 preempted "$(switched 0 preempted)" "$(cat recorded)" "$(switched 0 unknown)"
	[ "$(cut -d ' ' -f 1 recorded)" -gt 50000000 ] || why "it was hardly disturbed: $(cat recorded) ns"
}

# a thread that is woken waits for a CPU, too
compete_after_naps() {
	local i woken
	for i in 1 2 3; do
		taskset -c "$cpu" "./$program" compete 4 > /dev/null &
	done
	run_recorded taskset -c "$cpu" "./$program" nap 1
	pkill -P $$ -f "$program compete"
	wait
	woken=$("$build/winnow" dump --limit 1 "$work/t" | sed -n 's/^woken //p')
	within 2 "preempted and woken" $(($(switched 0 preempted) + woken)) "$(cat recorded)" "$(switched 0 unknown)"
	[ $((woken + $(switched 0 unknown))) -gt 20000000 ] || why "it hardly waited after naps: $woken ns of $(cat recorded)"
	[ "$("$build/winnow" report --json "$work/t" | jq .totals.woken_ns)" = "$woken" ] || why "the report says something else"
	"$build/winnow" report "$work/t" | grep -q "^Disturbed run: threads that had been woken waited for a CPU" || why "nor what it is"
}

compete_below_filter() {
	taskset -c "$cpu" "./$program" compete 4 > /dev/null &
	local competitor=$!
	rm -f t
	taskset -c "$cpu" "./$program" filtered "$build/winnow" record -o t "./$program" compete 1 > recorded 2> talk
	kill $competitor 2> /dev/null
	wait $competitor 2> /dev/null
	within 2 "run queue" "$("$build/winnow" dump --limit 1 t | sed -n 's/^run-queue //p')" "$(cat recorded)"
	[[ $(missing) == *"seccomp filter"* ]] || why "no reason: '$(missing)'"
	"$build/winnow" report t | grep -q "^Disturbed run: threads waited for a CPU" || why "the report does not say so"
}

run_recorded ./offcpu.gcc threads 1
if [ -n "$(missing)" ]; then
	skip_all "$(missing)"
fi

while read -r program runtime; do
	use_runtime "$runtime"
	# which of the machine's is whatever this one may use first
	cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
	one_of_five compete
	verdict "time preempted agrees with the kernel's run-queue wait: $program, $runtime"
	one_of_five compete_after_naps
	verdict "waits for a CPU after sleeping agree with the kernel's: $program, $runtime"
	one_of_five compete_below_filter
	verdict "under a filter of system calls the kernel's sum is recorded: $program, $runtime"

	run_recorded "./$program" sleep
	"$build/winnow" export --format csv "$work/t" 2> /dev/null > grains.csv
	within 2 blocked "$(awk -F, '/^#/ { next } !at["id"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["kind"] == "implicit" { print $at["off_cpu_ns"] }' grains.csv)" "$(cat recorded)"
	verdict "time off the CPU of a grain agrees with the time asleep: $program, $runtime"

	run_recorded "./$program" close 0.2
	for thread in 0 1; do
		[ -n "$(switched $thread preempted)" ] || why "nothing of thread $thread"
	done
	"$build/winnow" check "$work/t" > /dev/null || why "check fails"
	verdict "a program that closes all descriptors loses no switches: $program, $runtime"

	both "./$program" show
	verdict "the program sees no descriptor of the kernel's events: $program, $runtime"

	both "./$program" fork
	[ -n "$(switched 1 preempted)" ] || why "nothing of thread 1"
	verdict "a fork between regions does no harm: $program, $runtime"

	# libomp never ends in such a child, without us either
	if [ "$runtime" = libgomp ]; then
		both "./$program" raw
		verdict "nor does a fork without handlers: $program, $runtime"
	fi

	both "./$program" filter
	verdict "a filter that kills for perf_event_open does not kill: $program, $runtime"
done <<< "$kinds"

use_runtime libgomp
cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
run_recorded env OMP_PROC_BIND=true OMP_PLACES="{$cpu}" ./offcpu.gcc threads 2
"$build/winnow" report --json "$work/t" 2> /dev/null | tr -d ' \n' > report.json
grep -q '"machine":{"online_cpus":[0-9]*,"bound_cpus":1,' report.json || why "bound to: $(grep -o '"bound_cpus":[^,]*' report.json)"
grep -q '"minor_faults":[1-9]' report.json || why "no page faults"
grep -q '"other_threads":0,"other_cpu_ns":0' report.json || why "other threads"
verdict "threads bound to one CPU are recorded as such, with the facts about the process"

run_recorded env WINNOW_NO_SWITCHES=1 ./offcpu.gcc threads 1
[ -z "$(switched 0 preempted)" ] || why "there are switches"
verdict "WINNOW_NO_SWITCHES=1 turns it off"

sentence="64 threads of a user who may lock no memory: some have none, and the reason is recorded"
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv > /dev/null; then
	say ok "$sentence # SKIP needs root and setpriv"
else
	chmod 777 "$work" && rm -f t
	run_recorded bash -c "ulimit -l 0; exec setpriv --reuid=65534 --clear-groups --bounding-set=-all --inh-caps=-all \
		./offcpu.gcc threads 64"
	ours=$(for thread in {0..63}; do switched $thread preempted; done | grep -c .)
	[ "$ours" -eq 64 ] || why "threads listed: $ours"
	[[ $(missing) == *"kernel.perf_event_mlock_kb"* ]] || why "no reason: '$(missing)'"
	"$build/winnow" check "$work/t" > /dev/null || why "check fails"
	verdict "$sentence"
fi
done_testing
