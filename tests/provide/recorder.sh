#!/bin/bash
# SPDX-License-Identifier: MIT
#
# recorder.sh BUILD - Winnow's recorder as an ordinary tool of the interface (`winnow record --source
# ompt-grain`: the provider is preloaded, the recorder is not): the programs of tests/conformance give the
# graph that they give by the recorder's own wrappers. With which numbers of threads depends on the choice
# (tests/tap.bash). TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

winnow=$build/winnow
cd "$work" || exit 1

# What two recordings say of the program, in a form that no schedule changes, and what only one of them says, a line each:
# "< FACT" or "> FACT". Thread numbers are left out, and what OMPT does not tell (doc/ompt-grain.md): where a doacross loop
# and a taskyield begin to wait, that a loop is combined with its region. On libomp neither are sections, depend clauses
# (undeferred tasks then look as if they had none), nor the iterations of some tasks of taskloops.
differences() { # TRACE TRACE
	local trace
	for trace; do
		echo "= $trace"
		"$winnow" export --format csv "$trace"
		"$winnow" dump "$trace"
	done 2> /dev/null | awk -F, -v T="$T" -v libomp="${LD_LIBRARY_PATH:+1}" '
		function known(l) {
			gsub(/^I[0-9]+\./, "I.", l)
			if (T > 1) gsub(/\.t[0-9]+/, ".t", l)
			if (libomp) gsub(/\.TL[0-9]+\[[0-9]+:[0-9]+\)/, ".TL", l)
			return l
		}
		function found(fact) {
			if (side == 1) { n_facts++; more[fact]++ } else more[fact]--
		}
		function grains(   r, v, kind, range) {
			for (r = 1; r <= n; r++) {
				split(row[r], v, ",")
				kind = v[c["kind"]]
				if (libomp && kind == "section") continue
				range = v[c["range_first"]] "+" v[c["range_iterations"]]
				if (libomp && kind == "taskloop") range = ""
				found(kind " " known(v[c["lineage"]]) \
					" parent " (kind == "chunk" && T > 1 ? "" : known(name[v[c["parent"]]])) \
					" joined " known(name[v[c["joined_by"]]]) " range " range \
					" is " v[c["undeferred"]] v[c["final"]] v[c["untied"]] (libomp ? "" : v[c["depend"]]) \
						v[c["completed"]] v[c["cancelled"]] v[c["detached"]] v[c["estimated"]] \
					" children " (kind == "implicit" && (T > 1 || libomp) ? "" : v[c["num_children"]]) \
					" line " v[c["line"]])
			}
			n = is_table = 0
			split("", name)
		}
		/^= / { side++; next }
		/^id,/ { is_table = 1; for (i = 1; i <= NF; i++) c[$i] = i; next }
		/^format / { grains(); next } # the dump begins
		is_table { name[$c["id"]] = $c["lineage"]; row[++n] = $0; next }
		match($0, /(LOOP_BEGIN|WORK_BEGIN|TASKLOOP_BEGIN|SYNC_BEGIN|GROUP_BEGIN|MUTEX_WAIT|MUTEX_RELEASED|NOTE|CANCEL|TASK_FULFILL|DEPEND|REGION_BEGIN) .*/) {
			event = substr($0, RSTART)
			if (event ~ /^(SYNC_BEGIN taskyield|MUTEX_WAIT doacross|NOTE dispatch-unknown)/) next
			if (libomp && event ~ /^(DEPEND|NOTE dependences-ignored)/) next
			if (libomp) sub(/^TASKLOOP_BEGIN taskloop/, "TASKLOOP_BEGIN", event)
			sub(/,?combined-loop/, "", event)
			gsub(/(at|mutex|address|count|thread|number|requested|n_tasks)=[^ ]*/, "", event)
			gsub(/ +/, " ", event)
			sub(/ $/, "", event)
			found(event)
		}
		END {
			if (!n_facts) print "> nothing is recorded"
			for (fact in more) {
				for (; more[fact] > 0; more[fact]--) print "< " fact
				for (; more[fact] < 0; more[fact]++) print "> " fact
			}
		}'
}

# Records in a subshell, so that no command is needed to set the environment.
record() ( # TRACE "PROGRAM [ARGUMENT]" OPTIONS...
	trace=$1
	read -r -a command <<< "$2"
	shift 2
	export "${environment[@]}" "OMP_NUM_THREADS=$T" OMP_WAIT_POLICY=passive
	exec timeout -k 5 60 "$winnow" record -o "$trace" "$@" "${command[@]}" > out.txt 2> talk.txt
)

# Programs of tests/conformance may have graphs that depend on the schedule, so that one pair of five is enough.
same() { # PROGRAM
	local try difference=
	for try in 1 2 3 4 5; do
		rm -f own.winnow* tool.winnow*
		# a program that its runtime ends is none (detached tasks on libomp)
		record own.winnow "$1" || return 0
		if ! record tool.winnow "$1" --source ompt-grain; then
			difference="it fails behind the provider: $(tail -n 1 talk.txt)"
			continue
		fi
		if ! "$winnow" check --quiet tool.winnow 2> check.txt; then
			difference="check: $(tail -n 1 check.txt)"
			continue
		fi
		difference=$(differences own.winnow tool.winnow)
		[ -n "$difference" ] || return
		difference=${difference:0:300}
	done
	why "$2, T=$T, run $try: ${difference//$'\n'/ }"
}

any_way='*'
[ "$WN_CHOICE" = all ] || any_way="@(gcc|$oldest_clang),*"
while IFS=: read -r source one; do
	name=${one:-${source##*/}}
	case $name in
	control_*) continue ;; # the tool is not there to be called
	esac
	read_remarks "$source" "$one"
	saying 'na clang-14,libomp-14'
	[ -z "$saying" ] && ways=$any_way || ways='gcc,*'
	saying env
	read -r -a environment <<< "${saying//$'\n'/ }"
	saying construct
	while read -r way threads; do
		is_compiled conformance "${source##*/}" "${way%,*}" || continue
		program=$compiled
		use_runtime "${way#*,}"
		# how far the others of a team come before they notice a cancellation is chance
		[[ $name != cancel_* ]] || threads=1
		for T in $threads; do
			same "$program $one" "$way"
		done
		use_runtime libgomp
		verdict "the same graph by $way: ${saying%$'\n'}, $name"
	done < <(runs_of "$name" "$ways" "1 2 4")
done < <(constructs)

# Times: known for as many grains, and like those of the wrappers (medians, within a factor of ten).
environment=()
T=1
times() { # TRACE KIND: how many creations are known, and the median in ns
	"$winnow" export --format csv "$1" 2> /dev/null | awk -F, -v kind="$2" '
		/^id,/ { for (i = 1; i <= NF; i++) c[$i] = i }
		$c["kind"] == kind && $c["creation_ns"] != "" { print $c["creation_ns"] }' | sort -n |
		awk '{ v[NR] = $1 } END { print NR, NR ? v[int((NR + 1) / 2)] : 0 }'
}
plausible() { # KIND WHAT
	local try n own_ns m tool_ns
	for try in 1 2 3; do
		record own.winnow "$program" && record tool.winnow "$program" --source ompt-grain || why "$2: it fails"
		read -r n own_ns < <(times own.winnow "$1")
		read -r m tool_ns < <(times tool.winnow "$1")
		[ "$n" = "$m" ] && ((n > 0 && tool_ns < 10 * own_ns + 100 && own_ns < 10 * tool_ns + 100)) && return
	done
	why "$2, run $try: $m creations of $tool_ns ns, and by wrappers $n of $own_ns"
}
for compiler in gcc "$oldest_clang"; do
	program=$(compiled provide many.c $compiler) || continue
	for runtime in libgomp $two_libomps; do
		[ "$compiler,$runtime" = gcc,libgomp ] || { [ "$compiler" = "$oldest_clang" ] && [ -e "$runtimes/$runtime/libomp.so.5" ]; } ||
			continue
		use_runtime "$runtime"
		T=2
		plausible task "tasks of $compiler on $runtime"
		plausible chunk "chunks of $compiler on $runtime"
	done
	use_runtime libgomp
done
verdict "creations take what they take by the wrappers"

# It says what it is.
program=$(compiled conformance tasks.c gcc) && record tool.winnow "$program recursion" --source ompt-grain || why "it fails"
"$winnow" report --json tool.winnow > report.json
[ "$(jq -r .program.source report.json)" = "ompt+ompt-grain" ] || why "source $(jq -r .program.source report.json)"
[ "$(jq -r .program.runtime report.json)" = libgomp ] || why "runtime $(jq -r .program.runtime report.json)"
jq -e 'any(.fidelity[]; .construct == "doacross, taskyield")' report.json > /dev/null || why "fidelity says nothing"
! "$winnow" dump tool.winnow | grep -q '^env LD_PRELOAD=.*libwinnow-record' || why "it is preloaded"
verdict "the source is named, and what it lacks"

# The same by hand, and with a second tool, which is served besides and has no extension.
T=2
rm -f hand.winnow watch.txt
WINNOW_OUT=$PWD/hand.winnow OMP_NUM_THREADS=2 LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$build/libwinnow-record.so \
	"$program" recursion > out.txt || why "it fails"
difference=$(differences hand.winnow tool.winnow)
[ -z "$difference" ] || why "by hand: ${difference%%$'\n'*}"
rm -f hand.winnow
WINNOW_OUT=$PWD/hand.winnow OMP_NUM_THREADS=2 LD_PRELOAD=$provider WATCH_OUT=watch.txt WATCH_STANDARD=1 \
	OMP_TOOL_LIBRARIES=$build/libwinnow-record.so:$work/libwatch.so "$program" recursion > out.txt || why "it fails with another tool"
[ "$(cat out.txt)" = right ] || why "it prints $(head -n 1 out.txt)"
difference=$(differences hand.winnow tool.winnow)
[ -z "$difference" ] || why "with another tool: ${difference%%$'\n'*}"
[ "$(value broken)" = 0 ] && [ "$(value tasks)" -gt 0 ] || why "the other tool: $(value tasks) tasks, $(grep -m 1 ^wrong watch.txt)"
verdict "by hand, and with a second tool"

# Preloaded as well, in either order: each task is told once.
n_tasks=$(jq .graph.explicit_tasks report.json)
for runtime in libgomp $newest_libomp; do
	if [ "$runtime" != libgomp ]; then
		program=$(compiled conformance tasks.c "$oldest_clang") || continue
	fi
	use_runtime "$runtime"
	for order in "$build/libwinnow-record.so:$provider" "$provider:$build/libwinnow-record.so"; do
		rm -f hand.winnow
		WINNOW_OUT=$PWD/hand.winnow OMP_NUM_THREADS=2 LD_PRELOAD=$order \
			OMP_TOOL_LIBRARIES=$build/libwinnow-record.so "$program" recursion > out.txt || why "$order on $runtime: it fails"
		found=$("$winnow" report --json hand.winnow 2> /dev/null | jq .graph.explicit_tasks)
		[ "$found" = "$n_tasks" ] || why "$order on $runtime: $found tasks of $n_tasks"
	done
	use_runtime libgomp
done
verdict "preloaded besides, nothing is told twice"

# Told no place to write to, it declines.
program=$(compiled conformance tasks.c gcc)
OMP_NUM_THREADS=2 LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$build/libwinnow-record.so "$program" recursion > out.txt 2>&1 || why "it fails"
[ "$(cat out.txt)" = right ] || why "it prints $(head -n 1 out.txt)"
OMP_NUM_THREADS=2 "$winnow" record -k --source ompt-grain -o none.winnow true > out.txt 2> talk.txt || why "true: $?"
grep -q 'nothing recorded' talk.txt && [ ! -e none.winnow ] || why "$(cat talk.txt)"
verdict "without a place to write to, and without OpenMP"

# Killed: what was recorded is there.
program=$(compiled provide endless.c gcc)
timeout -k 5 60 "$winnow" record --source ompt-grain -o tool.winnow "$program" > out.txt 2> talk.txt
[ $? = 137 ] || why "status $?, and not that of a killed program"
"$winnow" report --json tool.winnow > report.json 2> talk.txt || why "no report: $(cat talk.txt)"
(($(jq .graph.explicit_tasks report.json) > 10000)) || why "$(jq .graph.explicit_tasks report.json) tasks"
verdict "killed"

# A runtime with the extension as its authors have it, and no provider.
if gcc -O1 -idirafter "$libomp_headers" "-I$here/../../include" "$here/programs/authors.c" -o authors -ldl; then
	rm -f tool.winnow
	took=$(WINNOW_OUT=$PWD/tool.winnow OMP_TOOL_LIBRARIES=$build/libwinnow-record.so ./authors) || why "it fails"
	"$winnow" check --quiet tool.winnow || why "check: $("$winnow" check tool.winnow 2>&1 | tail -n 1)"
	found=$("$winnow" dump tool.winnow | grep -oE '(CHUNK_BEGIN gap=0 iterations=5|WORK_BEGIN loop-dynamic|CREATE_END)$' | sort | uniq -c |
		sed 's/^ *//' | tr '\n' ';')
	# shellcheck disable=SC2016
	[ "$found" = '2 CHUNK_BEGIN gap=0 iterations=5;1 CREATE_END;' ] || why "$found"
	"$winnow" dump tool.winnow | grep -q 'WORK_BEGIN loop-dynamic' || why "no loop"
	read -r n_known creation < <(times tool.winnow task)
	[ "$n_known" = 1 ] && ((creation * 10 > took * 9)) || why "$n_known creations of $creation ns, and it took $took"
	read -r n_known creation < <(times tool.winnow chunk)
	[ "$n_known" = 2 ] || why "$n_known chunks whose creation is known"
else
	why "it does not compile"
fi
verdict "a runtime that has the extension itself"
done_testing
