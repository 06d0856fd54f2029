#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK [CASE...] - programs that tell the recorder what they do, by every way in which
# they can: what the trace has must be what they log. TAP: one line for each case and way, all
# numbers of threads together. WN_CONTROL_WAYS and WN_CONTROL_THREADS narrow it.
#
# A way is COMPILER,RUNTIME[,tool]: gcc with libgomp, clang with a libomp; with "tool" the recorder is
# no preload, so that commands arrive by OMPT and loops and tasks are seen by OMPT alone; gcc with a
# libomp runs gcc's code on libomp in libgomp's place.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
winnow=$build/winnow
recorder=$build/libwinnow-record.so
headers=/usr/lib/llvm-14/lib/clang/14.0.6/include
n=0
n_failed=0
cd "$work" || exit 1

result() {
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		n_failed=$((n_failed + 1))
		echo "not ok $n - $1"
		head -n 20 <<< "$2" | cut -c 1-200 | sed 's/^/# /'
	fi
}

ways=${WN_CONTROL_WAYS:-}
if [ -z "$ways" ]; then
	ways=gcc,libgomp
	if [ -e "$build/runtimes/19/libomp.so.5" ]; then
		ways+=" clang-14,14 clang-14,16 clang-19,19 clang-14,14,tool clang-14,16,tool clang-19,19,tool gcc,19"
	fi
fi

# build_program WAY SOURCE: leaves ./SOURCE.WAY
build_program() {
	local compiler=${1%%,*} source=$here/programs/$2.c
	case $1 in
	gcc,*) gcc -g -O1 -fopenmp -o "$2.$1" "$source" ;;
	*)
		mkdir -p link
		ln -sf "$build/runtimes/19/libomp.so.5" link/libomp.so
		"$compiler" -g -O1 -fopenmp=libomp -idirafter "$headers" -Llink -o "$2.$1" "$source"
		;;
	esac
}

# record WAY PROGRAM ARGUMENT...: leaves trace.winnow and what the program prints in said.txt
record() {
	local way=$1 program=$2.$1 runtime=${1#*,} path=
	shift 2
	case $runtime in
	libgomp) ;;
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
			timeout 60 "./$program" "$@" > said.txt 2> errors.txt
	else
		env "${environment[@]}" timeout 60 "$winnow" record -o trace.winnow \
			"./$program" "$@" > said.txt 2> errors.txt
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

notes() {
	"$winnow" report --json trace.winnow 2> /dev/null |
		jq -r --arg text "$1" '[.fidelity[] | select(.note | contains($text)) | .count] | add // 0'
}

try_chunks() {
	local way=$1 case=$2 runs problem='' guesses misused difference
	for T in $threads; do
		# guided chunks differ in size; a team of one gets one chunk from libomp, and from
		# libgomp that of an ordered loop
		runs=''
		if [ "$case" = guided ]; then
			runs=1
		elif [ "$T" -eq 1 ] && [[ $way != gcc* || $case == *ordered ]]; then
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
		guesses=$(notes "guessed from the iterations")
		misused=$(notes "made no sense")
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

for way in $ways; do
	compiler=${way%%,*}
	case $way in
	gcc,libgomp | clang-19,19) threads=${WN_CONTROL_THREADS:-1 2 3 4 8} ;;
	*) threads=${WN_CONTROL_THREADS:-1 4} ;;
	esac
	command -v "$compiler" > /dev/null || continue
	if ! errors=$(build_program "$way" chunks 2>&1); then
		result "chunks.c compiles for $way" "$errors"
		continue
	fi
	cases=${*:-$("./chunks.$way" 2> /dev/null || env LD_LIBRARY_PATH="$build/runtimes/19" "./chunks.$way")}
	for case in $cases; do
		try_chunks "$way" "$case"
	done
done
echo "1..$n"
[ "$n_failed" -eq 0 ]
