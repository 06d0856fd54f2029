#!/bin/bash
# SPDX-License-Identifier: MIT
#
# verdict.sh COMMAND [OPTION]... - the corpus of verdicts: what reports say about the programs of bench/verdicts/, whose
# faults are known (doc/verdicts.md).
#
#   verdict.sh list                 the cases, a line of JSON each; fails if a descriptor is incomplete
#   verdict.sh run [NAME]...        runs cases (default: all) and appends a line of JSON for each run
#   verdict.sh again FILE           makes the reports of FILE anew from the kept traces, with the build of today
#   verdict.sh table FILE...        prints the confusion table and the wrong verdicts
#
#   --output FILE    append the results there (default verdicts.jsonl)
#   --build DIR      where winnow was built (default build)
#   --cc LIST        gcc, clang (default both)
#   --threads LIST   numbers of threads (default 2)
#   --kind LIST      fault, sound, setting (default all)
#   --repeat N       runs of each (default 3)
#   --disturbed      beside a process that spins on the last CPU
#   --keep DIR       keep the traces there, for `again`
#   --cases DIR      other cases (default bench/verdicts)
#
# The faulty program, its fixed twin and the recorded faulty program run in turn. Where the system allows it and no
# CPU is shared on purpose, they run before all other processes (chrt --rr).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cases=$here/verdicts
build=$root/build output=verdicts.jsonl compilers=gcc,clang threads=2 kinds=fault,sound,setting
repeat=3 disturbed=false keep="" spinner=""
clang="clang-14"

usage() {
	sed -n 's/^# \{0,1\}//; 4,24p' "$0" >&2
	exit 2
}

# A line of JSON for each descriptor: KIND NAME | CAUSES | COMPILERS | SETTINGS [/ SETTINGS] | TEXT
list_cases() {
	awk 'function json(text) { gsub(/["\\]/, "\\\\&", text); return "\"" text "\"" }
		function words(text,  n, i, w, out) {
			if (text == "-")
				return "[]"
			n = split(text, w, " ")
			for (i = 1; i <= n; i++)
				out = out (i > 1 ? "," : "") json(w[i])
			return "[" out "]"
		}
		/^(\/\*|!) (fault|sound|setting) / {
			sub(/^[^ ]* /, ""); sub(/ *\*\/$/, "")
			n = split($0, field, / *\| */)
			split(field[1], head, " ")
			kind[++count] = head[1]; name[count] = head[2]; file[count] = FILENAME
			is_whole[count] = n == 5 && field[2] != "" && field[3] != "" && field[5] != ""
			causes[count] = field[2]; compilers[count] = field[3]; text[count] = field[5]
			split(field[4], setting, / *\/ */)
			faulty[count] = setting[1]; fixed[count] = setting[2]
			# of a fault they are a condition of both programs
			if (kind[count] != "setting")
				fixed[count] = faulty[count]
			else if (fixed[count] == "")
				fixed[count] = "-"
			setting[2] = ""
		}
		match($0, /(\/\*|!) here: [a-z_]+/) { place = substr($0, RSTART, RLENGTH); sub(/.*: /, "", place)
			lines[place] = lines[place] (lines[place] == "" ? "" : ",") FNR; where[place] = FILENAME }
		/^#ifdef CASE_/ { sub(/^#ifdef CASE_/, ""); guard[$0] = 1 }
		END {
			for (i = 1; i <= count; i++) {
				why = ""
				if (!is_whole[i]) why = "has not all fields"
				else if (seen[name[i]]++) why = "is there twice"
				else if (!guard[name[i]]) why = "has no code"
				else if (kind[i] == "fault" && lines[name[i]] == "") why = "has no place"
				else if (kind[i] != "fault" && lines[name[i]] != "") why = "has a place"
				else if (kind[i] == "fault" && causes[i] == "-") why = "has no cause"
				else if (kind[i] == "sound" && causes[i] != "-") why = "has a cause"
				if (why != "") { print file[i] ": " name[i] " " why > "/dev/stderr"; bad = 1 }
				base = file[i]; sub(/.*\//, "", base)
				printf "{\"kind\":%s,\"case\":%s,\"file\":%s,\"causes\":%s,\"compilers\":%s,\"settings\":%s," \
					"\"fixed_settings\":%s,\"lines\":[%s],\"text\":%s}\n", json(kind[i]), json(name[i]), json(base),
					words(causes[i]), words(compilers[i]), words(faulty[i]), words(fixed[i]), lines[name[i]], json(text[i])
				known[name[i]] = 1
			}
			for (place in lines) if (!known[place]) { print where[place] ": no case " place > "/dev/stderr"; bad = 1 }
			exit bad
		}' "$cases"/*.[cF]*
}

# build_case FILE CASE COMPILER: leaves ${keep:-$work}/CASE.COMPILER and .fixed
build_case() {
	local source=$cases/$1 program=${keep:-$work}/$2.$3 compile
	case $3.$1 in
		gcc.*.c) compile=(gcc) ;;
		gcc.*.cpp) compile=(g++) ;;
		gcc.*.F90) compile=(gfortran "-J$work") ;;
		*.c) compile=("$clang") ;;
		*) compile=("${clang/clang/clang++}") ;;
	esac
	compile+=(-O2 -g -fopenmp -w "-DCASE_$2" "$source" -lm)
	# kept traces find the lines of their programs
	[ -z "$keep" ] || [ ! "$program.fixed" -nt "$source" ] || return 0
	"${compile[@]}" -o "$program" && "${compile[@]}" -DFIXED -o "$program.fixed"
}

# timed SETTINGS(words) PROGRAM...: runs it as the settings have it; prints its nanoseconds
timed() {
	local word env=() cpus=() settings=$1
	shift
	for word in $settings; do
		case $word in
			cpus=*) cpus=(taskset -c "${word#cpus=}") ;;
			*) env+=("$word") ;;
		esac
	done
	env "OMP_NUM_THREADS=$n_threads" "${env[@]}" timeout 60 "${first[@]}" "${cpus[@]}" "$@" 2> "$work/errors" | tail -1
}

run_one() { # uses the variables of run_cases
	local round settings fixed_settings program=${keep:-$work}/$name.$compiler plain fixed recorded trace first=()
	settings=$(jq -r '.settings | join(" ")' <<< "$case")
	fixed_settings=$(jq -r '.fixed_settings | join(" ")' <<< "$case")
	if [ $disturbed = false ] && [ "$n_threads" -le "$(nproc)" ] && chrt --rr 1 true 2> /dev/null &&
		! jq -e '.causes | any(. == "oversubscription")' <<< "$case" > /dev/null; then
		first=(chrt --rr 1)
	fi
	for ((round = 1; round <= repeat; round++)); do
		trace=${keep:-$work}/$name.$compiler.$n_threads.$disturbed.$round.winnow
		rm -f "$trace"
		plain=$(timed "$settings" "$program")
		if [ "$kind" = setting ]; then
			fixed=$(timed "$fixed_settings" "$program")
		else
			fixed=$(timed "$settings" "$program.fixed")
		fi
		recorded=$(timed "$settings" "$build/winnow" record -o "$trace" "$program")
		if ! "$build/winnow" report --json "$trace" > "$work/report.json" 2>> "$work/errors"; then
			echo "verdict.sh: $name, $compiler, $n_threads threads: $(tail -1 "$work/errors")" >&2
			continue
		fi
		jq -c --argjson case "$case" --arg compiler "$compiler" --argjson threads "$n_threads" --argjson round $round \
			--argjson disturbed $disturbed --argjson plain "${plain:-null}" --argjson fixed "${fixed:-null}" \
			--argjson recorded "${recorded:-null}" --arg trace "${keep:+$trace}" \
			'$case + {compiler: $compiler, threads: $threads, disturbed: $disturbed, round: $round, plain_ns: $plain,
				fixed_ns: $fixed, recorded_ns: $recorded, trace: $trace, report: .}' "$work/report.json" >> "$output"
		[ -n "$keep" ] || rm -f "$trace"
	done
}

run_cases() {
	local case name kind file known compiler n_threads listed wanted=" $* "
	listed=$(list_cases)
	[ -z "$keep" ] || { mkdir -p "$keep" && keep=$(realpath "$keep"); }
	if [ $disturbed = true ]; then
		taskset -c $(($(nproc --all) - 1)) sh -c 'while :; do :; done' &
		spinner=$!
		trap '[ -z "$spinner" ] || kill "$spinner"; rm -rf "$work"' EXIT
	fi
	while IFS=$'\t' read -r kind name file known; do
		[ $# -eq 0 ] || [[ $wanted == *" $name "* ]] || continue
		[[ ,$kinds, == *",$kind,"* ]] || continue
		case=$(jq -c --arg name "$name" 'select(.case == $name)' <<< "$listed")
		for compiler in ${compilers//,/ }; do
			[[ ,$known, == *",$compiler,"* ]] || continue
			build_case "$file" "$name" "$compiler"
			for n_threads in ${threads//,/ }; do
				run_one
			done
			[ -n "$keep" ] || rm -f "$work/$name.$compiler" "$work/$name.$compiler.fixed"
		done
	done < <(jq -r '[.kind, .case, .file, (.compilers | join(","))] | @tsv' <<< "$listed")
	[ -z "$spinner" ] || kill "$spinner"
	spinner=""
}

again() {
	local line trace
	while read -r line; do
		trace=$(jq -r .trace <<< "$line")
		if [ -f "$trace" ]; then
			"$build/winnow" report --json "$trace" > "$work/report.json"
			jq -c --slurpfile report "$work/report.json" '.report = $report[0]' <<< "$line"
		else
			echo "$line"
		fi
	done < "$1" > "$work/again"
	cp "$work/again" "$1"
}

[ $# -ge 1 ] || usage
command=$1
shift
names=()
while [ $# -gt 0 ]; do
	case $1 in
		--output) output=$2 && shift ;;
		--build) build=$(realpath "$2") && shift ;;
		--cc) compilers=$2 && shift ;;
		--threads) threads=$2 && shift ;;
		--kind) kinds=$2 && shift ;;
		--repeat) repeat=$2 && shift ;;
		--keep) keep=$2 && shift ;;
		--cases) cases=$2 && shift ;;
		--disturbed) disturbed=true ;;
		-*) usage ;;
		*) names+=("$1") ;;
	esac
	shift
done
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-verdict.XXXXXX")
trap 'rm -rf "$work"' EXIT
case $command in
	list) list_cases ;;
	run) run_cases "${names[@]}" ;;
	again) again "${names[0]}" ;;
	table) jq -rs -f "$here/verdicts/table.jq" "${names[@]}" ;;
	*) usage ;;
esac
