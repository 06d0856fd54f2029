#!/bin/bash
# SPDX-License-Identifier: MIT
#
# planted.sh BUILD WORK [NAME...] - each example has one problem planted into it: the first finding of its
# report at any line names it, in words and with that line, and the fixed form no longer has it. The
# same finding comes first in the JSON. Programs are real ones on a machine that may be busy: the first run must name the
# problem, or two of at most six (with the whole product always two), and one of the fixed form must be without it, since a
# machine that interrupts threads can make a sound program uneven, and none makes an uneven one sound. TAP.
#
# A way is COMPILER,RUNTIME as in tests/mark/run.sh; each example runs in one, another for each choice (tests/tap.bash).
# WN_EXAMPLE_WAYS narrows them.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
winnow=$build/winnow
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$root/tests/tap.bash"
cd "$work" || exit 1

# before others, if that is allowed: unevenness that the machine makes is none of the program's
first=(chrt --rr 1)
"${first[@]}" true 2> /dev/null || first=()

ATTEMPTS=6 # runs of one form
# What gains less than so many percent of the time, or of what the problem cost, is none any more.
LEAST_OF_TIME=5
LEAST_OF_PROBLEM=5

# Example, the rules of which one is planted, the source at the line named (a regular expression, blanks
# apart), arguments, arguments of the sound form: none if it is built with -DFIXED.
planted() {
	cat << 'END'
recursion.c   | small_tasks                | (left\|right) = sum\|omp task
imbalance.c   | uneven_loop uneven_region  | schedule\(static\)\|for \(int i
chunk1.c      | small_chunks               | schedule\(dynamic\)\|for \(int i
producer.c    | small_tasks                | omp task
feeder.c      | one_producer               | omp (parallel\|single)
serial.c      | serial_part                | omp parallel for schedule\(static\)
start.c       | serial_start               | omp parallel for schedule\(static\) reduction
taskwait.c    | wait_after_each_task       | omp task
sweeps.c      | no_parallelism             | omp task
pipeline.f90  | uneven_region uneven_loop  | parallel do\|do i
particles.cpp | uneven_tasks small_tasks   | omp task
sort.c        | small_tasks                | omp task\|sort\(a\|merge\(a | 300000 16 16 | 4000000 65536 65536
nqueens.c     | small_tasks                | omp task\|uint32_t bit | 10 10 | 13 2
END
}

report() { # PROGRAM ARGUMENT...: leaves report.txt and report.json
	rm -f trace.winnow*
	OMP_NUM_THREADS=2 OMP_DYNAMIC=false timeout 60 "${first[@]}" "$winnow" record -o trace.winnow "$@" > said.txt 2> errors.txt &&
		"$winnow" report trace.winnow > report.txt 2>> errors.txt &&
		"$winnow" report --json trace.winnow > report.json 2>> errors.txt
	local status=$?
	rm -f trace.winnow*
	return "$status"
}

# why not: RULES PATTERN SOURCE. Nothing is said if the first finding is the planted one.
first_is_other() {
	local rank rule place line title text=
	IFS=$'\t' read -r rank rule place line title < <(first_at_a_place report.json |
		jq -r '[.rank, .rule // "none", .place // "-", .line // 0, (.message // "" | sub(":.*"; ""))] | @tsv')
	[ "$line" -eq 0 ] || text=$(sed -n "${line}p" "$3")
	if ! grep -qw -- "$rule" <<< "$1"; then
		echo "first is $rule at $place, not one of $1"
	elif ! grep -qE -- "$2" <<< "$text"; then
		echo "$rule is at $place: $text"
	elif ! is_listed "$rank" "$title" "$place" report.txt; then
		echo "the report does not name $title at $place as number $rank: $(grep Worst report.txt)"
	fi
}

# by samples of the code, for which there are the same conditions as for switch records
names_serial_code() {
	[ "$(jq .time.off_cpu_percent report.json)" = null ] ||
		jq -r '.advice[0].message | select(test("mostly in (bin_of|fill_bins)\\(\\) at serial[.]c:[0-9]+$") | not)' report.json
}

gain() { first_at_a_place report.json | jq '.gain_expected_ns // 0'; }

is_still_there() { # RULES GAIN
	jq -r --arg rules "$1" --argjson gain "$2" --argjson of_time "$LEAST_OF_TIME" --argjson of_problem "$LEAST_OF_PROBLEM" '
		.advice[] | select(.rule as $r | $rules | split(" ") | index($r)) |
		select(.gain_expected_ns * 100 > $of_time * .of_ns and .gain_expected_ns * 100 > $of_problem * $gain) |
		"\(.rule) at \(.place): \(.gain_expected_ns) of \(.of_ns) ns, planted \($gain) ns"' report.json
}

# Runs until N runs are right; what speaks against it otherwise, of each run.
agree() { # N CHECK ... -- PROGRAM ARGUMENT...
	local n=$1 check=() right=0 against='' why
	shift
	while [ "$1" != -- ]; do
		check+=("$1")
		shift
	done
	shift
	for ((i = 0; i < ATTEMPTS && right < n; i++)); do
		if ! report "$@"; then
			why=$(cat errors.txt)
		else
			why=$("${check[@]}")
		fi
		[ -z "$why" ] && right=$((right + 1))
		[ $i -gt 0 ] || [ "$right" -eq 0 ] || [ "$WN_CHOICE" = all ] || right=$n
		against+=${why:+$why$'\n'}
	done
	[ "$right" -ge "$n" ] || printf '%s' "${against:-no run was right}"
}

trim() { sed 's/^ *//; s/ *$//; s/\\|/|/g' <<< "$1"; }

check_example() { # WAY SOURCE RULES PATTERN ARGUMENTS SOUND
	local way=$1 source=$2 name=${2##*/} rules=$3 pattern=$4 bad fixed
	local sentence="$name, ${way%,*}" set=bench
	[[ $source != */examples/* ]] || set=examples
	# shellcheck disable=SC2206 # words
	bad=($5) fixed=($6)
	compiled "$set" "$name" "${way%,*}" > program.txt || return
	cp "$(cat program.txt)" bad
	result "$sentence: first is the planted $rules" \
		"$(agree 2 first_is_other "$rules" "$pattern" "$source" -- ./bad "${bad[@]}")"
	local planted_ns
	planted_ns=$(gain)
	[ "$name" != serial.c ] ||
		result "$sentence: the function of the serial code is named" "$(agree 1 names_serial_code -- ./bad)"
	cp bad sound
	[ -n "$6" ] || cp "$(compiled examples "$name" "${way%,*} -DFIXED")" sound
	result "$sentence: it is gone when fixed" "$(agree 1 is_still_there "$rules" "$planted_ns" -- ./sound "${fixed[@]}")"
}

read -r -a ways <<< "${WN_EXAMPLE_WAYS:-gcc,libgomp $oldest_clang,$oldest_libomp}"
while IFS= read -r row; do
	# the pattern has bars of its own
	row=${row//\\|/$'\x01'}
	IFS='|' read -r source rules pattern arguments sound <<< "$row"
	source=$(trim "$source")
	[ $# -gt 0 ] && ! grep -qw "${source%.*}" <<< "$*" && continue
	path=$root/examples/$source
	[ -e "$path" ] || path=$root/bench/programs/$source
	for way in $(one_of "example $source" "${ways[@]}"); do
		case $source in *.f90) way=gcc,libgomp ;; esac
		check_example "$way" "$path" "$(trim "$rules")" "$(trim "${pattern//$'\x01'/|}")" \
			"$(trim "${arguments:-}")" "$(trim "${sound:-}")"
	done
done < <(planted)
done_testing
