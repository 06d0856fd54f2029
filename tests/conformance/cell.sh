#!/bin/bash
# SPDX-License-Identifier: MIT
#
# cell.sh BUILD WORK SOURCE PROGRAM THREADS... - one construct through one source: runs the program, which the build has
# compiled (tests/programs; FILE:NAME is one of a file of several), plainly and recorded with each number of threads, compares the graph with what the program
# says of itself, and prints one line:
#     RESULT, CONSTRUCT, SOURCE, DETAIL        separated by tabs
# RESULT is exact; limited (the report lists what is missing); none (the source
# or its compiler does not have the construct); wrong.
#
# What a program says (// in C, ! in Fortran, at the start of a line):
#     construct: TEXT                the row of the table
#     expect: KEY=N ...              numbers of the report's "graph"; N may be an expression in T (the
#                                    number of threads), A..B, or A..
#     place: KIND @LABEL=N           grains, implicit tasks or taken mutexes of that kind at the line that
#                                    ends in @LABEL, or the next, which is the loop or block itself
#     place SOURCE: KIND @LABEL=N    the same, of this source
#     range: FIRST END               the loop's chunks cover exactly these logical iterations
#     events: TEXT=N                 lines of `winnow dump` that hold the text
#     waits: KIND=NS                 time waited for mutexes of that kind, a number as expect's
#     expect SOURCE: KEY=N ...       what this source has instead
#     limit SOURCE: KEY,...: TEXT    the source cannot show these; fidelity says TEXT. KEY is one of
#                                    expect's, or range, events, place, waits
#     library: MACRO                 part of the program is a shared library: the same file, compiled
#                                    with MACRO defined
#     na SOURCE: REASON              the source or its compiler does not have the construct
#     env: NAME=VALUE
# SOURCE is libgomp, ompt, pomp2, flang, or one of the columns below. A column of a newer GCC is its name and options, such as
# gcc-17,-O2,-fopenmp-ompt=extended; what a program says of gcc or gfortran is of the newer ones too, except for na.
set -u

build=$1 work=$2 column=$3 program=${4%%:*}
one=${4#"$program"}
one=${one#:}
shift 4
winnow=$build/winnow
name=${program##*/}
folder=$work/$column/${one:-$name}
# shellcheck source-path=SCRIPTDIR source=../programs/several.bash
. "$(dirname "$0")/../programs/several.bash"
mkdir -p "$folder"
cd "$folder" || exit 1

read_remarks "$program" "$one"

saying construct
construct=${saying%$'\n'}
# labels[LABEL]: the line that ends in @LABEL, the first from where this program begins
declare -A labels=()
read_labels() {
	local label line
	while read -r label line; do
		[ -n "${labels[$label]:-}" ] || labels[$label]=$line
	done < <(awk -v wanted="construct: $construct" '
		substr($0, index($0, " ") + 1) == wanted { has_begun = 1 }
		has_begun && match($0, /[\/!] @[^ @]+$/) { print substr($0, RSTART + 3), NR }' "$program")
}
finish() {
	printf '%s\t%s\t%s\t%s\n' "$1" "$construct" "$column" "$2"
	[ "$1" = wrong ] || rm -rf "$folder"
	exit 0
}

case $column in
gcc* | gfortran*) source=libgomp ;;
clang* | flang*) source=ompt ;;
opari-*) source=pomp2 ;;
esac
for who in "$source" "$column"; do
	saying "na $who"
	[ -z "$saying" ] || finish none "${saying%$'\n'}"
done

case $column in
gcc-* | gfortran-*) kind=${column//,/} ;; # with options
*) kind=${column%%,*} ;;
esac
kind=${kind/gfortran/gcc}
kind=${kind//=/-}
compiled=$build/tests/programs/conformance-$name.$kind
[ -e "$compiled" ] || finish wrong "it is not compiled: meson test -C $build conformance compiles it"
[ -s "$compiled" ] || finish none "$kind is not installed, or does not know the construct"
library_path=${LD_LIBRARY_PATH:-}
[ "$source" != ompt ] || library_path=$build/runtimes/${column##*,libomp-}${library_path:+:$library_path}

saying env
read -r -a environment <<< "${saying//$'\n'/ }"

# holds ACTUAL WANTED: WANTED is N, A..B or A.., expressions in T
holds() {
	local low=${2%%..*} high=${2##*..}
	[ "$1" != null ] && [ -n "$1" ] || return 1
	(($1 >= low)) || return 1
	[ -z "$high" ] || (($1 <= high))
}

# The numbers of which a limit speaks: "KEY TEXT" a line
limits=
saying "limit $source" "limit ${column%%-*}" "limit $column"
while IFS= read -r line; do
	keys=${line%%: *}
	for key in ${keys//,/ }; do
		limits+="$key ${line#*: }"$'\n'
	done
done <<< "$saying"

# Without optimisation gcc gives the call that begins a loop or sections the line before it.
[[ $column != *,-O0* ]] || limits+=$'\nplace-at-O0 line tables'

# flang's line tables are said to be coarse, of all constructs.
[[ $column != flang* ]] || limits+=$'\nplace flang\'s line tables'

used=''
problem=''
# differs KEY DETAIL: is it a limitation in the report?
differs() {
	local text
	text=$(sed -n "s/^$1 //p" <<< "$limits" | head -n 1)
	text=$([ -z "$text" ] || jq -r --arg text "$text" \
		'first(.fidelity[] | select(.construct + " " + .note | contains($text)) |
			.construct + ": " + .note) // empty' report.json)
	if [ -n "$text" ]; then
		used+="$text"$'\n'
	else
		problem="$problem${problem:+; }$2"
	fi
}

# The report's numbers, in one go: fact[KEY] of the graph, fact[KIND LINE] of the grains or the mutexes taken of a kind
# at a line, fact[KIND] of the time waited for mutexes of a kind.
declare -A fact
read_facts() {
	local key value
	fact=()
	while IFS=$'\t' read -r key value; do
		if [[ $key == graph.* ]]; then fact[$key]=$value; else fact[$key]=$((${fact[$key]:-0} + value)); fi
	done < <(jq -r '(.graph | to_entries[] | ["graph." + .key, .value]),
		((.sites[], (.mutexes[] | .grains = .acquired)) | ["\(.kind | gsub(" "; "-")) \(.line)", .grains]),
		(.mutexes[] | [(.kind | gsub(" "; "-")), .wait_ns]) | map(tostring) | @tsv' report.json)
}

check_run() {
	local pair key wanted actual line label text at
	local own saying
	read_facts
	saying "expect $source" "expect ${column%%-*}" "expect $column"
	own=" ${saying//$'\n'/ } "
	saying expect
	for pair in $saying; do
		key=${pair%%=*} wanted=${pair#*=}
		if [[ $own == *" $key="* ]]; then
			wanted=${own##* "$key"=}
			wanted=${wanted%% *}
		fi
		actual=${fact[graph.$key]:-null}
		holds "$actual" "$wanted" || differs "$key" "T=$T: $key is $actual, not $wanted"
	done
	saying "place $source"
	[ -n "$saying" ] || saying place
	[ -z "$saying" ] || [ ${#labels[@]} -gt 0 ] || read_labels
	while IFS= read -r pair; do
		[ -n "$pair" ] || continue
		key=${pair%% *} label=${pair#* @}
		wanted=${label#*=} label=${label%%=*}
		line=${labels[$label]:-0}
		actual=$((${fact[$key $line]:-0} + ${fact[$key $((line + 1))]:-0}))
		at=place
		[[ $column != *,-O0* || $key != @(chunk|section) ]] || at=place-at-O0
		holds "$actual" "$wanted" ||
			differs $at "T=$T: line $line has $actual grains of kind $key, not $wanted"
	done <<< "$saying"
	saying range
	while IFS= read -r pair; do
		[ -n "$pair" ] || continue
		# the union of the chunks, sorted by their first iteration
		actual=$("$winnow" export --format csv trace.winnow 2> /dev/null | awk -F, '
			/^id,/ { for (i = 1; i <= NF; i++) column[$i] = i }
			$column["kind"] == "chunk" && $column["range_first"] != "" {
				print $column["range_first"], $column["range_iterations"] }' | sort -n | awk '
			NR == 1 { first = $1; end = $1 }
			$1 != end { bad = 1 }
			{ end = $1 + $2 }
			END { print NR && !bad ? first " " end : "broken" }')
		[ "$actual" = "$pair" ] || differs range "T=$T: chunks cover $actual, not $pair"
	done <<< "$saying"
	saying events
	while IFS= read -r pair; do
		[ -n "$pair" ] || continue
		text=${pair%=*} wanted=${pair##*=}
		actual=$("$winnow" dump trace.winnow 2> /dev/null | grep -c -E -- " $text")
		holds "$actual" "$wanted" || differs events "T=$T: $actual events \"$text\", not $wanted"
	done <<< "$saying"
	saying waits
	while IFS= read -r pair; do
		[ -n "$pair" ] || continue
		actual=${fact[${pair%%=*}]:-0}
		holds "$actual" "${pair#*=}" || differs waits "T=$T: ${pair%%=*} took $actual ns, not ${pair#*=}"
	done <<< "$saying"
}

# Runs a command in a subshell, so that no other is needed to set the environment.
run() (
	export "OMP_NUM_THREADS=$T" OMP_DYNAMIC=false OMP_WAIT_POLICY=passive "${environment[@]}" "LD_LIBRARY_PATH=$library_path"
	exec timeout 60 "$@"
)

# shellcheck disable=SC2086 # $one is no word where a file has one program
for T; do
	rm -f trace*.winnow
	for _ in 1 2 3 4 5; do # a fault of the runtime is one that it has each time
		run "$compiled" $one > plain.txt 2> plain.log
		plain=$?
		[ "$plain" -ne 0 ] || break
	done
	run "$winnow" record -o trace.winnow "$compiled" $one > recorded.txt 2> talk.txt
	status=$?
	if [ "$plain" -ne 0 ]; then
		finish none "the runtime itself fails: $(cat plain.log plain.txt | head -c 60 | tr '\n\t' '  ')"
	fi
	mapfile wanted < plain.txt
	mapfile printed < recorded.txt
	if [ $status -ne 0 ] || [ "${printed[*]}" != "${wanted[*]}" ]; then
		finish wrong "T=$T: recorded it behaves differently: $status"
	fi
	if ! "$winnow" check --quiet trace.winnow 2> check.txt; then
		finish wrong "T=$T: $("$winnow" check trace.winnow 2>&1 | tail -n 1)"
	fi
	"$winnow" report --json trace.winnow > report.json 2> talk.txt
	check_run
done
[ -z "$problem" ] || finish wrong "$problem"
[ -z "$used" ] || finish limited "$(sort -u <<< "${used%$'\n'}" | paste -sd '|' | sed 's/|/; /g')"
finish exact ''
