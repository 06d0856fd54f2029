#!/bin/bash
# SPDX-License-Identifier: MIT
#
# cell.sh BUILD WORK SOURCE PROGRAM - one construct through one source: builds the program, runs it
# plainly and recorded, holds the graph against what the program says of itself, and prints one line:
#     RESULT, CONSTRUCT, SOURCE, DETAIL        separated by tabs
# RESULT is exact; said (what is missing stands in the report's fidelity section); none (the source
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
# SOURCE is libgomp, ompt, pomp2, or one of the columns below.
set -u

build=$1 work=$2 column=$3 program=$4
winnow=$build/winnow
name=$(basename "$program")
here=$(cd "$(dirname "$0")" && pwd)
folder=$work/$column/$name
headers=/usr/lib/llvm-14/lib/clang/14.0.6/include
mkdir -p "$folder"
cd "$folder" || exit 1

said() {
	sed -n -E "s#^(//|!) $1: ##p" "$program"
}

construct=$(said construct)
finish() {
	printf '%s\t%s\t%s\t%s\n' "$1" "$construct" "$column" "$2"
	[ "$1" = wrong ] || rm -rf "$folder"
	exit 0
}

case $column in
gcc | gfortran) source=libgomp ;;
clang-*) source=ompt ;;
opari-*) source=pomp2 ;;
esac
for who in "$source" "$column"; do
	reason=$(said "na $who")
	[ -z "$reason" ] || finish none "$reason"
done

flags=(-g -O1 -fopenmp "-I$here")
link=()
library_path=${LD_LIBRARY_PATH:-}
case $column in
gcc | gfortran) command=("$column") ;;
clang-*)
	compiler=${column%%,*}
	runtime=$build/runtimes/${column##*,libomp-}
	command=("$compiler")
	flags=(-g -O1 -fopenmp=libomp "-I$here" -idirafter "$headers")
	link=("-L$work/link")
	library_path=$runtime${library_path:+:$library_path}
	;;
opari-gcc) command=("$winnow" cc --opari -- gcc) ;;
opari-gfortran) command=("$winnow" fc --opari -- gfortran) ;;
esac
library=$(said library)
if [ -n "$library" ]; then
	if ! "${command[@]}" "${flags[@]}" -fPIC -shared "-D$library" "$program" -o "$PWD/library.so" \
		"${link[@]}" 2> compile.log; then
		finish wrong "its library does not compile: $(grep -m 1 -E 'error|winnow' compile.log)"
	fi
	link+=("$PWD/library.so")
fi
if ! "${command[@]}" "${flags[@]}" "$program" -o program "${link[@]}" 2> compile.log; then
	finish wrong "it does not compile: $(grep -m 1 -E 'error|winnow' compile.log)"
fi

mapfile -t environment < <(said env)

# holds ACTUAL WANTED: WANTED is N, A..B or A.., expressions in T
holds() {
	local low=${2%%..*} high=${2##*..}
	[ "$1" != null ] && [ -n "$1" ] || return 1
	(($1 >= low)) || return 1
	[ -z "$high" ] || (($1 <= high))
}

# The numbers of which a limit speaks: "KEY TEXT" a line
limits=$(for who in "$source" "$column"; do
	said "limit $who" | while IFS= read -r line; do
		for key in $(tr , ' ' <<< "${line%%: *}"); do
			echo "$key ${line#*: }"
		done
	done
done)

used=''
problem=''
# differs KEY DETAIL: is it said in fidelity?
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

check_run() {
	local pair key wanted actual line label text
	local own
	own=" $(said "expect $source") $(said "expect $column") "
	for pair in $(said expect); do
		key=${pair%%=*} wanted=${pair#*=}
		if [[ $own == *" $key="* ]]; then
			wanted=${own##* "$key"=}
			wanted=${wanted%% *}
		fi
		actual=$(jq -r ".graph.$key" report.json)
		holds "$actual" "$wanted" || differs "$key" "T=$T: $key is $actual, not $wanted"
	done
	while IFS= read -r pair; do
		[ -n "$pair" ] || continue
		key=${pair%% *} label=${pair#* @}
		wanted=${label#*=} label=${label%%=*}
		line=$(grep -n "[/!] @$label\$" "$program" | head -n 1 | cut -d: -f1)
		actual=$(jq --arg kind "$key" --argjson line "$line" \
			'[.sites[], (.mutexes[] | .grains = .acquired) |
				select((.kind | gsub(" "; "-")) == $kind and (.line == $line or .line == $line + 1)) | .grains] | add // 0' report.json)
		holds "$actual" "$wanted" ||
			differs place "T=$T: line $line has $actual grains of kind $key, not $wanted"
	done < <(own=$(said "place $source"); printf '%s\n' "${own:-$(said place)}")
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
	done < <(said range)
	while IFS= read -r pair; do
		[ -n "$pair" ] || continue
		text=${pair%=*} wanted=${pair##*=}
		actual=$("$winnow" dump trace.winnow 2> /dev/null | grep -c -E -- " $text")
		holds "$actual" "$wanted" || differs events "T=$T: $actual events \"$text\", not $wanted"
	done < <(said events)
	while IFS= read -r pair; do
		[ -n "$pair" ] || continue
		actual=$(jq --arg kind "${pair%%=*}" '[.mutexes[] | select((.kind | gsub(" "; "-")) == $kind) |
			.wait_ns] | add // 0' report.json)
		holds "$actual" "${pair#*=}" || differs waits "T=$T: ${pair%%=*} took $actual ns, not ${pair#*=}"
	done < <(said waits)
}

for T in 1 2 4; do
	rm -f trace*.winnow
	run=(env "OMP_NUM_THREADS=$T" OMP_DYNAMIC=false OMP_WAIT_POLICY=passive "${environment[@]}"
		"LD_LIBRARY_PATH=$library_path")
	for _ in 1 2 3 4 5; do # a fault of the runtime is one that it has each time
		timeout 60 "${run[@]}" ./program > plain.txt 2> plain.log
		plain=$?
		[ "$plain" -ne 0 ] || break
	done
	timeout 60 "${run[@]}" "$winnow" record -o trace.winnow ./program > recorded.txt 2> talk.txt
	status=$?
	if [ "$plain" -ne 0 ]; then
		finish none "the runtime itself fails: $(cat plain.log plain.txt | head -c 60 | tr '\n\t' '  ')"
	fi
	if [ $status -ne 0 ] || ! cmp -s plain.txt recorded.txt; then
		finish wrong "T=$T: recorded it behaves differently: $status"
	fi
	if ! "$winnow" check --quiet trace.winnow 2> check.txt; then
		finish wrong "T=$T: $("$winnow" check trace.winnow 2>&1 | tail -n 1)"
	fi
	"$winnow" report --json trace.winnow > report.json 2> talk.txt
	check_run
done
[ -z "$problem" ] || finish wrong "$problem"
[ -z "$used" ] || finish said "$(sort -u <<< "${used%$'\n'}" | paste -sd '|' | sed 's/|/; /g')"
finish exact ''
