# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# common.bash BUILD - what the scripts here share. Sourced.

# shellcheck source-path=SCRIPTDIR source=../living/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/../living/common.bash"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
provider=$build/libwinnow-ompt.so
environment=()
unset OMP_TOOL OMP_TOOL_LIBRARIES WATCH_OUT WATCH_TRACE

tool() { # SOURCE LIBRARY: puts a tool that the build has compiled there
	local file
	file=$(compiled tool "$1" "gcc -DTOOL") && cp "$file" "$2"
}
tool watch.c "$work/libwatch.so" || exit 1

# The programs of tests/conformance: "FILE:" a line, "FILE:NAME" where a file has several
constructs() {
	local file
	for file in "$here"/../conformance/programs/*.c "$here"/../conformance/programs/*.f90; do
		programs_in "$file" | sed "s#^#$file:#"
	done
}

# A program's ways to be compiled and run, "COMPILER,RUNTIME THREADS..." a line each, of those that fit a pattern.
# With the choice, of the ways by clang one, another for each name and each choice.
runs_of() { # NAME PATTERN NUMBERS-OF-THREADS
	local way threads turn pairs=()
	while read -r way threads; do
		# shellcheck disable=SC2053
		if [[ $way == $2 ]] && [ "${way#*,}" = libgomp ]; then
			echo "$way $threads"
		elif [[ $way == $2 ]] && [ -e "$runtimes/${way#*,}/libomp.so.5" ]; then
			pairs+=("$way $threads")
		fi
	done < <(covering "provide $1" "gcc,libgomp $libomp_ways" "$3")
	if [ "$WN_CHOICE" = all ]; then
		printf '%s\n' "${pairs[@]}"
	elif [ ${#pairs[@]} -gt 0 ]; then
		turn "ways of $1" ${#pairs[@]}
		echo "${pairs[turn]}"
	fi
}

# Runs a program in a subshell, so that no command is needed to set the environment.
run_with() ( # VARIABLE=VALUE... -- PROGRAM...
	while [ "$1" != -- ]; do
		export "${1?}"
		shift
	done
	shift
	exec timeout -k 5 60 "$@"
)

# The program with the tool behind the provider: it prints what it prints without, and the tool finds no rule
# broken. T threads. The tool's counts are in the array seen.
watched() {
	local status
	rm -f watch.txt
	run_with "${environment[@]}" "OMP_NUM_THREADS=$T" OMP_DYNAMIC=false -- "$@" > plain.txt 2>&1
	status=$?
	if [ "$status" -ne 0 ]; then
		why "T=$T: it fails by itself: $status"
		return 1
	fi
	run_with "${environment[@]}" "OMP_NUM_THREADS=$T" OMP_DYNAMIC=false "LD_PRELOAD=$provider" \
		"OMP_TOOL_LIBRARIES=$work/libwatch.so" WATCH_OUT=watch.txt -- "$@" > out.txt 2>&1
	status=$?
	if [ "$status" -ne 0 ]; then
		why "T=$T: it fails with the tool: $status"
		return 1
	fi
	cmp -s plain.txt out.txt || why "T=$T: it prints something else: $(head -n 1 out.txt)"
	read_watch
	[ -n "${seen[finalized]:-}" ] || why "T=$T: no finalization"
	[ "${seen[broken]:-}" = 0 ] || why "T=$T: $(grep -c '^wrong' watch.txt) rules broken: $(grep -m 1 '^wrong' watch.txt)"
	return 0
}

# Reads what the tool wrote: its counts into the array seen.
declare -A seen=()
read_watch() {
	local lines=() line
	seen=()
	[ ! -e watch.txt ] || mapfile -t lines < watch.txt
	for line in "${lines[@]}"; do
		[ -z "$line" ] || seen[${line%% *}]=${line#* }
	done
}

value() { # a count of the tool's
	read_watch
	echo "${seen[$1]:-}"
}

# What the producer of programs/producer.c did is its own work, what it ran, and its creations: of most rounds
# less is missing than half a creation and three times what reading the clock takes. Rounds in which the producer
# lost its processor are left out. One run of eight is enough.
balanced() { # PROGRAM, what it is
	local all own created executed missing of_none try
	for try in 1 2 3 4 5 6 7 8; do
		read -r all own created executed missing of_none < <(LD_PRELOAD="$provider" \
			OMP_TOOL_LIBRARIES="$work/libproducer.so" OMP_NUM_THREADS=$T timeout -k 5 60 "$1")
		if [ -z "$of_none" ] || [ "$created" -le 0 ] || [ $((own + created + executed)) -gt "$all" ]; then
			break
		fi
		[ "$missing" -gt $((3 * of_none)) ] || return 0
	done
	why "$2, T=$T, run $try: of $all ns it worked $own, created $created, ran $executed; missing of a round $missing, of one of nothing $of_none"
}
