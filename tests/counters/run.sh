#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK - counters of grains, end to end, on every runtime that is there: those of a
# simulation, whose values are known of the trace itself; those of a program that counts itself; the
# kernel's own, which work everywhere. TAP.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
winnow=$build/winnow
simulated=$build/tests/counters/libsimulated.so
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 # as in tests/cli/run-case.sh
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
cd "$work" || exit 1

ways="gcc"
command -v "$oldest_clang" > /dev/null && ways+=" $oldest_clang"

# record NAME SPEC ARGUMENT...: NAME.winnow, NAME.csv, NAME.json
record() {
	local name=$1 spec=$2
	shift 2
	rm -f "$name".winnow*
	OMP_NUM_THREADS=3 LD_PRELOAD=$simulated WINNOW_COUNTERS=$spec timeout 120 "$winnow" record -o "$name.winnow" \
		"./grains-$way" "$@" > "$name.out" 2> "$name.err" || echo "record: exit $?"
	"$winnow" check "$name.winnow" > "$name.check" 2>&1 || cat "$name.check"
	"$winnow" export -f csv -o "$name.csv" "$name.winnow" > /dev/null 2>> "$name.err" ||
		cat "$name.err"
	"$winnow" report --json "$name.winnow" > "$name.json" 2>> "$name.err" || cat "$name.err"
}

result "the recorder alone has no simulated counters" "$(
	way=plain simulated=
	gcc -O1 -fopenmp -o grains-plain "$here/programs/grains.c"
	record bare simulated:ticks=1 3
	jq -r '.counters | select(. != []) | tojson' bare.json)"

# cells NAME COLUMN...: those columns of the table, without its head
cells() {
	columns_of "${@:2}" < "$1.csv"
}

for way in $ways; do
	flags=(-O1 -fopenmp)
	[ "$way" = gcc ] || flags+=(-idirafter "$libomp_headers" -L"$build/tests/programs/libomp")
	"$way" "${flags[@]}" -o "grains-$way" "$here/programs/grains.c" || exit 1

	result "$way: a program is recorded with counters, and its graph holds all laws" \
		"$(record known simulated:ticks=1,more=7,refused=none,odd=odd 6)"

	# a counter that counts 7 for each tick of the clock is 7 times one that counts 1
	result "$way: each grain has the counts of its own ticks" "$(
		cells known ticks more | awk -F, '
			$1 == "" || $2 != 7 * $1 { print "ticks " $1 " more " $2 }
			$1 > 0 { n++ }
			END { if (n < 100) print n + 0 " grains with counts" }')"

	# all grains of a thread that does not count have no value, and the others have the right one
	result "$way: what was not counted on a thread is missing there, and not 0" "$(
		cells known ticks odd moved thread | awk -F, '
			$3 == 1 { next }
			$2 != "" && $2 != $1 { print "ticks " $1 " odd " $2 }
			{ n[$4]++; unknown[$4] += $2 == "" }
			END {
				for (t in n) {
					if (unknown[t] != 0 && unknown[t] != n[t])
						print "thread " t ": " unknown[t] " of " n[t] " unknown"
					threads++
					all += unknown[t] == n[t]
				}
				if (threads > 1 && (all == 0 || all == threads)) print all " of " threads " threads unknown"
			}')"

	# the same clock tells times: work in ticks by work in ns is one rate for all grains; it runs on while a
	# thread is off the CPU, which is no work
	result "$way: counts follow work" "$(
		cells known ticks work_ns elapsed_ns | awk -F, '
			$2 > 2000 { n++; rate = $1 / $3
				if (!low || rate < low) low = rate
				if (rate > high) high = rate }
			END { if (!n || high > low * 1.01) print "from " low " to " high " of " n + 0 }')"

	result "$way: the sum over grains, the runtime and what is outside is the threads' total" "$(
		jq -r '.counters[] | select(.total != .grains + .implicit + .serial + .creation + .waiting
			+ .dispatch + .forking + .mutex + .outside + .lost or .total == 0 or (.grains == 0 and .name != "odd")
			or .lost != 0) | tojson' known.json)"
	result "$way: seven times as much in each account" "$(
		jq -r '(.counters | map({(.name): .}) | add) as $c |
			["total", "grains", "implicit", "serial", "creation", "waiting", "dispatch", "forking",
			"outside"][] | select($c.more[.] != 7 * $c.ticks[.]) | [., $c.ticks, $c.more] | tojson' \
			known.json)"
	result "$way: what was refused is named" "$(
		jq -r '[.fidelity[] | select(.note == "not counted: refused: refused by the simulation")] |
			if length == 1 then empty else tojson end' known.json)"

	result "$way: counters in the report: amounts, who counted, and what follows for all grains together" "$(
		record ratios simulated:instructions=9,cycles=5,stalled_cycles=3,more=1,less=2+turns:2 5
		COLUMNS=120 "$winnow" report -v ratios.winnow > ratios.txt
		grep -qE '^  counter +in grains +of all +runtime +in all +had its turn +by$' ratios.txt || cat ratios.txt
		grep -qE '^  less .* (4[0-9]|5[0-9])\.[0-9] %  simulation$' ratios.txt || grep less ratios.txt
		grep -qE '^  ipc +1\.80 +instructions by cycles, in grains; 1\.80 in all$' ratios.txt || grep ipc ratios.txt
		jq -r '[.counter_ratios[] | [.name, .grains, .total]] | select(. != [["ipc", 1.8, 1.8],
			["stalled_share", 0.6, 0.6], ["mem_hier_util", 1.66667, 1.66667]]) | tojson' ratios.json)"
	result "$way: weights that there are have their whole names" "$(
		long=a_counter_with_a_name_that_is_rather_long
		record names "simulated:$(printf "$long%s=1," 1 2 3 4 5 6 7 8)last=1"
		"$winnow" report names.winnow --weight nope 2>&1 | grep -vxF "winnow report: $(
			)--weight 'nope': the recording has no such weight; it has work, time, ${long}1, ${long}2 and 7 more")"
	result "$way: thresholds of problems that come with counters can be moved" "$(
		for moved in '2 all' '1.7 all' '1.6 none'; do
			"$winnow" report --json --threshold "memory_hierarchy_utilization<${moved% *}" ratios.winnow |
				jq -r --arg n "${moved#* }" --arg c "< ${moved% *}" '.graph.grains as $all | .problems[] |
					select(.type == "memory_hierarchy_utilization" and (.condition != $c or
						.count != (if $n == "all" then $all else 0 end))) | tojson'
		done
		"$winnow" report --threshold 'memory_hierarchy_utilization>1' ratios.winnow 2>&1 | grep -vFx "winnow report: $(
			)threshold memory_hierarchy_utilization: of this run low values are bad: '<'")"

	# what a real processor does to its counters: registers that wrap, counters that take turns, reads
	# that the kernel refuses or moves to another processor half-way. The sums are what they are without.
	result "$way: counters under hardship: recorded, and the graph holds all laws" "$(
		record hard "simulated:ticks=1,wrap=3+wrap,turns=5+turns:4,refused=7+refused,moves=11+moves,$(
			)all=13+wrap+turns:3+refused+moves,reads=reads,calls=calls,retries=retries" 8)"
	for counter in wrap=3 turns=5 refused=7 moves=11 all=13; do
		# what was scaled is rounded down on each thread, and comes when its turn does
		result "$way: counters under hardship: ${counter%=*}: ${counter#*=} for each tick, wherever it was" "$(
			jq -r --arg name "${counter%=*}" --argjson rate "${counter#*=}" '
				(.counters | map({(.name): .}) | add) as $c | $c[$name] as $its |
				($its.total - $rate * $c.ticks.total) as $off |
				select($c.ticks.total == 0 or $off > 0 or $off < -3 or
					($its.running_share == 1 and ($off != 0 or $its.grains != $rate * $c.ticks.grains))) |
				[$c.ticks, $its] | tojson' hard.json)"
	done
	result "$way: counters under hardship: reads were refused, asked of the kernel, and repeated" "$(
		jq -r '(.counters | map({(.name): .total}) | add) |
			select(.reads < 500 or .calls < 100 or .calls > 2 * .reads or .retries < 100) | tojson' hard.json)"
	# few counters are read together, and told in a shorter form
	for few in a=1+moves a=1+wrap,b=3+moves a=1+moves,b=3+wrap,c=7+refused a=1+wrap,b=3+moves,c=7+wrap,d=90+moves; do
		result "$way: counters under hardship: $few alone" "$(
			record few "simulated:$few" 8
			jq -r '(.counters | map({(.name): .}) | add) as $c | .counters[] |
				(.name | {a: 1, b: 3, c: 7, d: 90}[.]) as $rate | select($c.a.total < 100000 or
				.running_share != 1 or .total != $rate * $c.a.total or .grains != $rate * $c.a.grains or
				.waiting != $rate * $c.a.waiting) | tojson' few.json)"
	done
	result "$way: counters that took turns are named, with their share, and no others" "$(
		jq -r '[.counters[] | select(.running_share != 1) | [.name, .running_share]] |
			select((map(.[0]) != ["turns", "all"]) or .[0][1] < 0.2 or .[0][1] > 0.3 or .[1][1] < 0.28 or
				.[1][1] > 0.38) | tojson' hard.json
		jq -r '[.fidelity[] | select(.note | test("^on the processor for [0-9.]+ % of the time, as counters " +
			"took turns: scaled up$")) | .construct] | select(. != ["turns", "all"]) | tojson' hard.json)"
	result "$way: a counter that never had its turn is missing, and not 0" "$(
		record never simulated:ticks=1,idle=2+turns:99999999 3
		cells never idle | grep -v '^$'
		jq -r '[.fidelity[] | select(.construct == "idle") | .note] | select(
			(map(test("^threads on which it never got its turn on the processor: [123]; use fewer counters at once")) |
			any) | not) | tojson' never.json)"

	result "$way: counters of the kernel count" "$(
		rm -f real.winnow*
		OMP_NUM_THREADS=3 "$winnow" record --counters task-clock,page-faults -o real.winnow \
			"./grains-$way" 8 > real.out 2> real.err || cat real.err
		grep -v ": real.winnow: " real.err
		"$winnow" check real.winnow > real.check 2>&1 || cat real.check
		"$winnow" report --json real.winnow > real.json
		# a thread runs at most all the time; the clock of a virtual machine is a little off
		jq -r '(.counters | map({(.name): .}) | add) as $c | $c.task_clock |
			select(.total <= 0 or .grains <= 0 or .grains > $t * 1.05 or
				.total != .grains + .implicit + .serial + .creation + .waiting + .dispatch +
				.forking + .mutex + .outside + .lost) | tojson' \
			--argjson t "$(jq .totals.work_ns real.json)" real.json
		jq -r '.counters[] | select(.name == "page_faults" and .total <= 0) | tojson' real.json)"
	result "$way: what the machine does not show is said, and the rest counted" "$(
		rm -f part.winnow*
		"$winnow" record --counters task-clock,some=perf::PERF_COUNT_HW_CPU_CYCLES:u=0 -o part.winnow \
			"./grains-$way" 3 > /dev/null 2> part.err
		rm -f part.winnow*
		WINNOW_COUNTERS=perf:task_clock=1.1.0.0.ns,odd=0.fff.0.0. "$winnow" record -o part.winnow \
			"./grains-$way" 3 > part.out 2> part.err
		[ "$(cat part.out)" = done ] || cat part.out part.err
		"$winnow" report --json part.winnow > part.json
		jq -r 'select(([.counters[].name] != ["task_clock"]) or
			([.fidelity[] | select(.note | startswith("not counted: odd: "))] | length != 1)) |
			[.counters, .fidelity] | tojson' part.json)"

	"$way" "${flags[@]}" -I "$here/../../src" -rdynamic -o "slots-$way" "$here/programs/slots.c" || exit 1
	result "$way: a program that counts itself: each grain has its own, and knows whose turn it is" "$(
		rm -f slots.winnow*
		"$winnow" record -o slots.winnow "./slots-$way" > slots.out 2> slots.err || cat slots.err
		"$winnow" check slots.winnow > slots.check 2>&1 || cat slots.check
		"$winnow" export -f csv -o slots.csv slots.winnow > /dev/null
		"$winnow" report --json slots.winnow > slots.json
		# 20 tasks, their 20 children, 10 chunks; nothing else
		cells slots kind instructions mem_reads comp_intensity mem_fp | awk -F, '
			$1 == "implicit" { if ($2 != 0) print }
			$1 != "implicit" {
				n = $2
				if ($3 * 2 != n || $5 != n * 640 || $4 < 1.66 || $4 > 1.67) print
				if (n >= 1000000) chunks++
				else if (n >= 100000) tasks[n - 100000]++
				else children[n]++
			}
			END {
				for (i = 1; i <= 20; i++)
					if (tasks[1000 * i] != 1 || children[10 * i] != 1) print "task " i
				if (chunks != 10) print chunks " chunks"
			}'
		read -r total wrong < slots.out
		[ "$wrong" = 0 ] || echo "$wrong times the slot said another grain"
		jq -r --argjson t "$total" '.counters[] | select(.name == "instructions") |
			select(.total != $t or .grains != $t) | tojson' slots.json
		# problems by their thresholds: 5/3 is below 2 for all; footprints above 512000 B
		jq -r '[.problems[] | select(.type == "compute_intensity" or .type == "memory_footprint") |
			[.type, .count]] | select(. != [["memory_footprint", 50], ["compute_intensity", 50]] and
			. != [["memory_footprint", 30], ["compute_intensity", 50]]) | tojson' slots.json)"

	"$way" "${flags[@]}" -o "hostile-$way" "$here/programs/hostile.c" || exit 1
	for what in fork exec close replace few; do
		result "$way: counters change nothing for a program that does '$what'" "$(
			rm -f hostile.winnow*
			timeout 120 "$winnow" record --counters task-clock,page-faults -o hostile.winnow \
				"./hostile-$way" "$what" > hostile.out 2> hostile.err || echo "exit $?"
			grep -vx done hostile.out
			"$winnow" check hostile.winnow > hostile.check 2>&1
			[ $? -le 3 ] && ! grep -i "law\|invariant" hostile.check | grep -v "all laws hold")"
	done

	# two nodes; the numbers of CPUs that are not here do no harm
	printf '0 0,2-64 10 21\n1 1 21 10\n' > two-nodes
	result "$way: nodes of grains, and how far siblings are" "$(
		rm -f nodes.winnow*
		WINNOW_NODES=two-nodes OMP_NUM_THREADS=2 "$winnow" record -o nodes.winnow "./grains-$way" 7 \
			> nodes.out 2> nodes.err || cat nodes.err
		"$winnow" export -f csv -o nodes.csv nodes.winnow > /dev/null
		cells nodes kind cpu node parent fork_join sibling_scatter sibling_scatter_cpu | awk -F, '
			$2 != "" && $3 != ($2 == 1) { print "cpu " $2 " node " $3 }
			$1 != "task" { if ($6 != "" || $7 != "") print "not of tasks: " $0; next }
			{ fj = $4 "/" $5; cpus[fj] = cpus[fj] " " $2; node[fj] = $6; cpu[fj] = $7 }
			END {
				for (fj in cpus) {
					n = split(cpus[fj], c, " ")
					if (n != 2) continue
					d = c[1] > c[2] ? c[1] - c[2] : c[2] - c[1]
					far = (c[1] == 1) == (c[2] == 1) ? 10 : 21
					if (node[fj] != far || cpu[fj] != d) print fj ":" cpus[fj] " has " node[fj] " " cpu[fj]
					pairs++
				}
				if (pairs < 20) print pairs + 0 " pairs"
			}')"

	if [ "$(nproc)" -gt 1 ]; then
		"$way" "${flags[@]}" -o "moves-$way" "$here/programs/moves.c" || exit 1
		result "$way: a task that moves: each fragment tells its CPU and node, and the task where most of it ran" "$(
			rm -f moves.winnow*
			WINNOW_NODES=two-nodes "$winnow" record -o moves.winnow "./moves-$way" > moves.out 2> moves.err || cat moves.err
			"$winnow" check moves.winnow > moves.check 2>&1 || cat moves.check
			"$winnow" export -f csv -o moves.csv moves.winnow > /dev/null
			cells moves id kind num_children cpu cpu_main cpu_moves node_moves > moves.cells
			"$winnow" export -f graphml --form fragments -o moves.graphml moves.winnow > /dev/null
			# key d2 is the grain, d8 the CPU, d20 the work, d23 the children, d27 the node
			awk '
				FNR == NR {
					split($0, cell, ",")
					if (cell[2] != "task") next
					main[cell[1]] = cell[5]
					is_outer[cell[1]] = cell[3] == 2
					node_moves[cell[1]] = cell[7]
					if (cell[6] != (cell[3] == 2 ? 2 : 0)) print "moves: " $0
					next
				}
				match($0, /key="d(2|8|20|23|27)">[^<]*/) {
					split(substr($0, RSTART + 5, RLENGTH - 5), pair, "\">")
					value[pair[1]] = pair[2]
				}
				/<\/node>/ {
					if (is_outer[value["d2"]]) {
						cpus[value["d2"]] = cpus[value["d2"]] " " value["d8"]
						if (value["d27"] == "" || value["d27"] != (value["d8"] == 1))
							print "CPU " value["d8"] " on node \"" value["d27"] "\""
						work[value["d2"], value["d8"]] += value["d20"]
					}
					delete value
				}
				END {
					for (grain in cpus) {
						n++
						if (split(cpus[grain], c, " ") != 3 || c[1] == c[2] || c[1] != c[3]) print grain ":" cpus[grain]
						if (node_moves[grain] != ((c[1] == 1) != (c[2] == 1) ? 2 : 0))
							print grain " between nodes: " node_moves[grain]
						if (main[grain] != (work[grain, c[2]] > work[grain, c[1]] ? c[2] : c[1]))
							print grain " mostly on " main[grain] "?"
					}
					if (n != 5) print n + 0 " tasks"
				}' moves.cells moves.graphml)"
	fi

	result "$way: damage to a recording with counters is told in one line, and what is left is read" "$(
		n_bytes=$(stat -c %s known.winnow)
		n_told=0
		for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
			if [ $((i % 3)) = 0 ]; then
				head -c $((n_bytes * i / 13)) known.winnow > damaged.winnow
			else # a bit of what a block holds: names of counters, or records
				cp known.winnow damaged.winnow
				at=$((65536 * (i % 4 + 1) + 128 + 37 * i))
				byte=$(od -An -tu1 -j $at -N 1 damaged.winnow)
				printf "\\$(printf %o $((byte ^ (1 << i % 8))))" |
					dd of=damaged.winnow bs=1 seek=$at conv=notrunc status=none
			fi
			"$winnow" report --json damaged.winnow > damaged.json 2> damaged.err
			status=$?
			[ $status = 0 ] || [ $status = 1 ] || [ $status = 3 ] || echo "$i: exit $status"
			[ "$(wc -l < damaged.err)" -le 1 ] || cat damaged.err
			[ $status = 1 ] || jq -r '.counters[] | select(.total != .grains + .implicit + .serial + .creation +
				.waiting + .dispatch + .forking + .mutex + .outside + .lost) | tojson' damaged.json
			n_told=$((n_told + (status != 0)))
		done
		[ $n_told -ge 6 ] || echo "only $n_told of 12 were told")"

	result "$way: without counters the table has no such column" "$(
		record plain none 3
		grep -n "COUNT" <("$winnow" dump plain.winnow)
		jq -r '.counters | select(. != []) | tojson' plain.json)"
done
done_testing
