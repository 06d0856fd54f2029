#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK [CASE...] - programs that tell the recorder what they do, by every way in which
# they can: what the trace has must be what they log. TAP: one line for each case and way. Which numbers of threads a
# case has in a way depends on the choice (tests/tap.bash). WN_CONTROL_WAYS and WN_CONTROL_THREADS narrow it.
#
# A way is COMPILER,RUNTIME[,tool]: gcc with libgomp, clang with a libomp; with "tool" the recorder is
# no preload, so that commands arrive by OMPT and loops and tasks are seen by OMPT alone; gcc with a
# libomp runs gcc's code on libomp in libgomp's place. "gcc,mark" is gcc with libgomp and commands by
# winnow/mark.h, "gcc,opari" the same instrumented by OPARI2.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
winnow=$build/winnow
recorder=$build/libwinnow-record.so
# gcc's code on libomp: libomp tells chunks by values of the loop variable, and cuts ordered loops
# otherwise than at multiples of the chunk size. OPARI2: that a thread has
# no iteration in a loop is known where LOOP_BEGIN says that it would tell them.
gcc_19_cannot=' dynamic_chunks nowait corner_3_size_one corner_6_counting_down corner_8_ordered '
opari_cannot=' stale_info '
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
cd "$work" || exit 1

ways=${WN_CONTROL_WAYS:-}
if [ -z "$ways" ]; then
	ways="gcc,libgomp gcc,mark"
	command -v opari2 > /dev/null && ways+=" gcc,opari"
	if [ -e "$build/runtimes/$newest_libomp/libomp.so.5" ]; then
		ways+="$(mixed_ways)$(mixed_ways ,tool) gcc,$newest_libomp"
	fi
fi

program_of() { # WAY NAME
	case $1 in
	gcc,mark) compiled control "$2.c" "gcc -DVIA_MARK" ;;
	gcc,opari) compiled control "$2.c" "opari-gcc -DVIA_MARK" ;;
	*) compiled control "$2.c" "${1%%,*}" ;;
	esac
}

# record WAY PROGRAM ARGUMENT...: leaves trace.winnow and what the program prints in said.txt
record() {
	local way=$1 program runtime=${1#*,} path=
	program=$(program_of "$1" "$2")
	shift 2
	case $runtime in
	libgomp | mark | opari) ;;
	*)
		path=$build/runtimes/${runtime%,tool}
		if [[ $way == gcc,* ]]; then
			mkdir -p "gomp.$runtime"
			ln -sf "$path/libomp.so.5" "gomp.$runtime/libgomp.so.1"
			path=$work/gomp.$runtime
		fi
		;;
	esac
	rm -f trace.winnow
	local environment=("LD_LIBRARY_PATH=$path" "OMP_NUM_THREADS=$T" OMP_DYNAMIC=false
		OMP_WAIT_POLICY=passive)
	if [[ $way == *,tool ]]; then
		env "${environment[@]}" OMP_TOOL_LIBRARIES="$recorder" WINNOW_OUT=trace.winnow \
			timeout 60 "$program" "$@" > said.txt 2> errors.txt
	else
		env "${environment[@]}" timeout 60 "$winnow" record -o trace.winnow \
			"$program" "$@" > said.txt 2> errors.txt
	fi
}

# The chunks of the first region, in the form in which programs log them; with "runs", adjacent ones
# as one.
chunks() {
	"$winnow" export --format csv trace.winnow 2> /dev/null | awk -F, -v runs="$1" '
		/^#/ { next }
		!n { for (i = 1; i <= NF; i++) column[$i] = i; n = NF; next }
		{ lineage = $column["lineage"] }
		lineage ~ /^P0\.t[0-9]+$/ { thread[$column["id"]] = substr(lineage, 5) }
		lineage ~ /^P0\.L[0-9]+\[[0-9]+:[0-9]+\)$/ {
			loop = lineage
			sub(/^P0\.L/, "", loop)
			sub(/\[.*/, "", loop)
			key = "loop " loop " thread " thread[$column["parent"]]
			first = $column["range_first"]
			count = $column["range_iterations"]
			if ($column["estimated"] != 0)
				print key ": the times of " lineage " are estimated"
			if (runs && key in end && end[key] == first) {
				total[key] += count
			} else {
				if (key in end)
					list[key] = list[key] "+" total[key]
				list[key] = list[key] " " first
				total[key] = count
			}
			end[key] = first + count
		}
		END { for (key in list) print key ":" list[key] "+" total[key] }' | sort
}

# What the program logs, in the same form.
logged() {
	grep '^loop' said.txt | if [ -z "$1" ]; then
		cat
	else
		awk '{
			printf "%s %s %s %s", $1, $2, $3, $4
			n = 0
			for (i = 5; i <= NF; i++) {
				split($i, part, "+")
				if (n && part[1] == end) {
					n += part[2]
				} else {
					printf n ? "+" n " " part[1] : " " part[1]
					n = part[2]
				}
				end = part[1] + part[2]
			}
			print "+" n
		}'
	fi | sort
}

# How often each text is noted.
notes() {
	"$winnow" report --json trace.winnow 2> /dev/null | jq -r '[. as $report | $ARGS.positional[] as $text |
		[$report.fidelity[] | select(.note | contains($text)) | .count] | add // 0] | map(tostring) | join(" ")' \
		--args "$@"
}

slow_chunk_is_slow() {
	"$winnow" export --format csv trace.winnow 2> /dev/null | columns_of lineage elapsed_ns |
		awk -F, '$1 == "P0.L0[4:6)" && $2 >= 2900000 { found = 1 } END { exit !found }'
}

try_chunks() {
	local way=$1 case=$2 runs problem='' guesses misused difference
	for T in $threads; do
		# guided chunks differ in size; a team of one gets one chunk from libomp, and from
		# libgomp that of an ordered loop
		runs=''
		if [ "$case" = guided ]; then
			runs=1
		elif [ "$T" -eq 1 ] && [[ $way != gcc,[lmo]* || $case == *ordered ]] && [ "$way" != gcc,opari ]; then
			runs=1
		fi
		if ! record "$way" chunks "$case"; then
			problem="T=$T: $(cat errors.txt)"
			break
		fi
		if ! "$winnow" check --quiet trace.winnow > check.txt 2>&1; then
			problem="T=$T: $(cat check.txt)"
			break
		fi
		if ! difference=$(diff <(logged "$runs") <(chunks "$runs")); then
			problem="T=$T: logged < and recorded >
$difference"
			break
		fi
		if [ "$case" = slow_chunk ] && [ -z "$runs" ] && ! slow_chunk_is_slow; then
			problem="T=$T: the slow chunk's time is not its own"
			break
		fi
		read -r guesses misused < <(notes "guessed from the iterations" "made no sense")
		if [[ $case == *_guess ]]; then
			[ "$guesses" -gt 0 ] || problem="T=$T: no note that it is a guess"
		elif [ "$guesses" -ne 0 ] && [ "$case" != guided ]; then
			problem="T=$T: a note that it is a guess"
		fi
		[ "$misused" -eq 0 ] || problem="T=$T: $misused commands misused"
		[ -z "$problem" ] || break
	done
	result "$case, $way" "$problem"
}

# A value of each task at the line of programs/create.c that ends in a label.
of_tasks() {
	local line
	line=$(grep -n "// $1\$" "$here/programs/create.c" | cut -d: -f1)
	"$winnow" export --format csv trace.winnow 2> /dev/null | columns_of kind line "$2" |
		awk -F, -v line="$line" '$1 == "task" && ($2 == line || $2 == line + 1) { print $3 }'
}

# count_of LIST CONDITION: how many numbers of the list, empty ones included, are so
count_of() {
	awk "$2 { n++ } END { print n + 0 }" <<< "$1"
}

try_create() {
	local way=$1 problem='' single first last
	T=2
	if ! record "$way" create || ! "$winnow" check --quiet trace.winnow > check.txt 2>&1; then
		result "create, $way" "$(cat errors.txt check.txt)"
		return
	fi
	single=$(of_tasks SINGLE creation_ns)
	first=$(of_tasks FIRST creation_ns)
	last=$(of_tasks LAST creation_ns)
	[ "$(count_of "$single" '$1 != ""')" -eq 5 ] || problem="creations are not known: $single"
	case $way in
	*,tool)
		# what is told takes a millisecond, without the time for which a busy machine takes the CPU away
		[ "$(count_of "$single" '$1 >= 300000')" -ge 3 ] ||
			problem="creations are not those told: $single"
		[ "$first" = 0 ] || problem="of two, the first took $first"
		[ "$last" -ge 100000 ] || problem="of two, the last took $last"
		;;
	*)
		# a thread may be out of luck and lose its core in one of them
		[ "$(count_of "$single" '$1 < 1000000')" -ge 3 ] ||
			problem="creations are not those measured: $single"
		;;
	esac
	[ "$(notes "time to create tasks")" -eq 0 ] || problem="a note that creations are unknown"
	[ "$(notes "made no sense")" -eq 0 ] || problem="commands misused"
	result "create, $way" "$problem"
}

try_wrong() {
	local way=$1 problem='' wanted
	T=2
	if ! record "$way" wrong || ! "$winnow" check --quiet trace.winnow > check.txt 2>&1; then
		result "wrong, $way" "$(cat said.txt errors.txt check.txt)"
		return
	fi
	wanted=$(sed -n 's/^wrong //p' said.txt)
	[ "$(notes "made no sense")" = "$wanted" ] ||
		problem="$(notes "made no sense") commands counted, not $wanted"
	[ "$(stat -c %s trace.winnow)" -lt 1000000 ] || problem="so many mistakes fill the trace"
	result "wrong, $way" "$problem"
}

try_commands() {
	local way=$1 problem='' sizes
	T=2
	if ! record "$way" commands; then
		result "commands, $way" "$(cat said.txt errors.txt)"
		return
	fi
	sizes=$("$winnow" dump trace.winnow | sed -n 's/.* IMPLICIT_BEGIN .*team_size=\([0-9]*\).*/\1/p' |
		sort -u | paste -sd ' ')
	[ "$sizes" = '2 3 5' ] || problem="recorded are the regions of $sizes threads"
	"$winnow" check --quiet trace.winnow > check.txt 2>&1 || problem=$(cat check.txt)
	result "commands, $way" "$problem"
}

usable=
for way in $ways; do
	program_of "$way" chunks > /dev/null && usable+=" $way"
done
# The ways by runtime: each row is of one.
ways_of_case() { # CASE
	local runtime row
	if [ -n "${WN_CONTROL_WAYS:-}" ] || [ "$WN_CHOICE" = all ]; then
		echo "$usable"
		return
	fi
	for runtime in libgomp $libomps; do
		row=()
		for way in $usable; do
			if [ "$way" = "gcc,$newest_libomp" ]; then
				[ "$runtime" != libgomp ] || echo "$way" # what runs gcc's code is a third
			elif [ "$runtime" = libgomp ]; then
				[[ $way != gcc,* ]] || row+=("$way")
			else
				[[ $way != *,$runtime && $way != *,$runtime,tool ]] || row+=("$way")
			fi
		done
		[ ${#row[@]} -eq 0 ] || one_of "control $1, $runtime" "${row[@]}"
	done | tr '\n' ' '
}
cases=$*
if [ -z "$cases" ]; then
	cases="$(sed -n 's/^    {"\([a-z_0-9]*\)", .*},$/\1/p' "$here/programs/chunks.c") create wrong commands"
fi
for case in $cases; do
	while read -r way threads; do
		if [[ $way == gcc,$newest_libomp && $gcc_19_cannot == *" $case "* ]] ||
			[[ $way == gcc,opari && $opari_cannot == *" $case "* ]]; then
			continue
		fi
		case $case in
		create | wrong | commands) "try_$case" "$way" ;;
		*) try_chunks "$way" "$case" ;;
		esac
	done < <(covering "control $case" "$(ways_of_case "$case")" "${WN_CONTROL_THREADS:-1 2 3 4 8}")
done
done_testing
