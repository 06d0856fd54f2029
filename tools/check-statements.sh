#!/bin/bash
# SPDX-License-Identifier: MIT
#
# check-statements.sh FILE... - do two statements of one report contradict each other? FILE is the JSON of a report, or
# several, or lines of bench/verdict.sh. Prints a line for each contradiction; fails if there is one.
set -eu

[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//; 4,5p' "$0" >&2; exit 2; }

for file; do
	jq -r --arg file "$file" '
	def near($a; $b): ($a - $b | fabs) <= 0.001 * ([($a | fabs), ($b | fabs), 1000] | max);
	def at_most($a; $b): $a <= $b or near($a; $b);
	def ms: "\(. / 1e4 | round / 100) ms";
	# findings about more threads, about less work than was recorded, or about work that contains other time
	def is_other_work: .rule | IN("serial_start", "work_inflation", "teams_of_one", "oversubscription", "binding", "cpu_quota",
		"other_threads", "page_faults", "contended_atomic", "false_sharing",
		"true_sharing", "strided_access", "busy_wait", "runtime_calls");
	def title: .rule + " at " + (.place // "no place");

	(if .report then "\(.case) \(.compiler) \(.threads) threads, round \(.round)" else $file end) as $name
	| (.report // .)
	| select(.imported == null)
	| (.headline | join(" ")) as $head
	| .totals as $t | .time as $time | .program as $p
	| ([$p.cpus, $p.threads] | map(select(. != null and . > 0)) | min // infinite) as $cpus
	| ($head | test("Disturbed run")) as $is_disturbed
	| (.advice + .near) as $findings
	| (if $p.threads then ($t.work_ns + 0) / $p.threads else 0 end) as $floor
	| ([$time | to_entries[] | select(.key | endswith("_percent")) | .value // 0] | add) as $sum
	| [
		(if $time.thread_ns > 0 and ($sum - 100 | fabs) > 0.1
			then "the categories of time add up to \($sum) %" else empty end),
		($time | to_entries[] | select((.key | endswith("_percent")) and .value != null and (.value < 0 or .value > 100.1))
			| "\(.key) is \(.value)"),
		(if $p.threads and ($time.thread_ns | near(.; $t.elapsed_ns * $p.threads) | not)
			then "thread time \($time.thread_ns | ms) is not \($p.threads) x \($t.elapsed_ns | ms)" else empty end),
		(if $t.cores_used != null and $t.cores_used > 1.01 * $cpus and ($p.threads // 1) <= ($p.cpus // infinite)
			then "\($t.cores_used) cores busy of \($cpus)" else empty end),
		(if at_most($t.span_ns; $t.work_ns) then empty else "span \($t.span_ns | ms) above work \($t.work_ns | ms)" end),
		(if $t.span_ns > 0 and (near($t.parallelism * $t.span_ns; $t.work_ns) | not)
			then "parallelism \($t.parallelism) is not work / span" else empty end),
		(if $t.best_case_ns == null then empty else
			(if at_most($t.best_case_ns; $t.elapsed_ns) then empty
				else "best case \($t.best_case_ns | ms) above elapsed \($t.elapsed_ns | ms)" end),
			(if $t.best_case_ns > 0 and ($t.work_ns / $t.best_case_ns | at_most(.; $cpus) | not)
				then "a speed-up of \($t.work_ns / $t.best_case_ns) on \($cpus) CPUs" else empty end) end),
		($head | capture("speed-up: (?<x>[0-9.]+)") | .x | tonumber
			| if . > 1.05 then (. as $x | $findings | if length == 0 and $x > 1.15 and ($time.work_percent // 0) > 95
				then "a bound of \($x) with \($time.work_percent) % work" else empty end) else empty end),
		($findings[]
			| (if at_most(.gain_ns; .of_high_ns) and at_most(.gain_high_ns; .of_high_ns) and at_most(.gain_expected_ns; .of_ns) then empty
				else "\(title) saves \(.gain_ns | ms) of \(.of_ns | ms)" end),
			(if is_other_work or ($p.threads // 1) > ($p.cpus // infinite) or
					at_most(.gain_ns; .of_high_ns - $floor + (.gain_work_ns // 0) / ($p.threads // 1)) then empty
				else "\(title) saves \(.gain_ns | ms), and \(.of_ns | ms) - \($floor | ms) of work remain" end),
			(if .of_ns > .gain_expected_ns and ((.of_ns / (.of_ns - .gain_expected_ns)) as $x | .predicted_speedup / $x - 1 | fabs) > 0.001
				then "\(title): predicted \(.predicted_speedup) with \(.gain_expected_ns | ms) of \(.of_ns | ms)" else empty end),
			(if [.gain_marginal_ns, .gain_expected_ns, .gain_high_ns, .gain_ns, infinite] as $x | $x == ($x | sort) then empty
				else "\(title): its savings are not in order" end),
			(if .gain_low_ns > .gain_expected_ns then "\(title): expected outside its range" else empty end),
			(if at_most(.gain_low_ns; .loss_ns) then empty
				else "\(title) saves \(.gain_low_ns | ms) at least, but lost \(.loss_ns | ms)" end),
			(if .rule == "no_parallelism" and ($t.parallelism > 1.05 * $cpus)
				then "\(title) with parallelism \($t.parallelism) for \($cpus) CPUs" else empty end),
			(if .rule == "contended_mutex" and ($time.mutex_percent // 0) == 0
				then "\(title) without lock contention" else empty end),
			(if .rule == "oversubscription" and ($p.threads // 0) <= $cpus and (($p.cpus // 0) >= ($p.threads // 0))
				and (.message | test("cores|CPUs") | not) then "\(title) with a CPU for each thread" else empty end)),
		# of_ns of serial_part has code outside the recorded time
		([$t.elapsed_ns, (.advice[] | select(is_other_work | not) | .of_ns)] | max) as $of
		| ([.advice[] | select(is_other_work | not) | (.gain_work_ns // 0) / ($p.threads // 1)] | add // 0) as $work
		| ([.advice[] | select(is_other_work | not) | .gain_marginal_ns] | add // 0
			| if . == 0 or ($p.threads // 1) > ($p.cpus // infinite) or at_most(.; $of - $floor + $work) then empty
				else "findings save \(. | ms) together, of \($of | ms) with \($floor | ms) of work" end),
		(.advice | map([.rule, .place]) | group_by(.) | .[] | select(length > 1) | "\(.[0][0]) twice at \(.[0][1] // "no place")"),
		(if ($head | test("No (other )?significant problem")) then
			(if (.advice | length) > 0 then "no problem beside \(.advice[0] | title)" else empty end),
			(if $is_disturbed then empty else $time | to_entries[]
				| select((.key | test("^(thread_ns|work|serial|serial_idle|paused|lost|off_cpu)") | not) and (.value // 0) > 10)
				# alone, less than 100 us is none
				| select($p.threads > 1 or .value / 100 * $time.thread_ns >= 100000)
				| "no problem beside \(.key) \(.value)" end)
		else empty end),
		(if ($head | test("Worst: ")) and (.advice | length) == 0 then "a worst problem without a finding" else empty end),
		(if (.recording.withheld_because != null) and (.advice + .near | length) > 0 then "findings of a withheld verdict" else empty end)
	] | .[] | "\($name): \(.)"' "$file"
done > "${TMPDIR:-/tmp}/statements.$$" || { rm -f "${TMPDIR:-/tmp}/statements.$$"; exit 2; }
status=0
[ ! -s "${TMPDIR:-/tmp}/statements.$$" ] || status=1
cat "${TMPDIR:-/tmp}/statements.$$"
rm -f "${TMPDIR:-/tmp}/statements.$$"
exit $status
