#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD CHECK WORK [PROGRAM...] - records every program and checks its trace.
#
# Each program of programs/ has been compiled by each clang (tests/programs). It runs with 1, 2, 4 and 8 threads on the
# libomps of BUILD/runtimes (tools/fetch-runtimes.sh), and CHECK compares its trace with the EXPECT lines of its source;
# once more the recorder is an OMPT tool alone. Which compiler, runtime and number of threads go together depends on the
# choice (tests/tap.bash), which has each compiler and each runtime for each program; "all" tries all. One TAP line for
# each run. Combinations that do not start without the recorder either (a libomp too old for the compiler) are skipped.
# WN_OMPT_WAYS ("clang-19,16 ...") and WN_OMPT_THREADS narrow it.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
check=$(realpath "$2")
mkdir -p "$3"
work=$(realpath "$3")
shift 3
here=$(cd "$(dirname "$0")" && pwd)
recorder=$build/libwinnow-record.so
runtimes=$build/runtimes
threads=${WN_OMPT_THREADS:-1 2 4 8}
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

if [ ! -e "$runtimes/$newest_libomp/libomp.so.5" ]; then
	echo "1..0 # SKIP no runtimes: tools/fetch-runtimes.sh $runtimes"
	exit 0
fi

# clang 19 and 22 call what libomp 14 and 16 lack, in some programs
ways=$libomp_ways
[ "$WN_CHOICE" != all ] || ways+=' clang-19,14 clang-19,16 clang-22,14 clang-22,16'
ways=${WN_OMPT_WAYS:-$ways}
if [ $# -eq 0 ]; then
	for source in "$here"/programs/*.c; do
		case $source in *.lib.c) ;; *) set -- "$@" "$source" ;; esac
	done
fi

# $source is the file of the program $name; $command, how it is run, where it is compiled
find_program() { # compiler
	is_compiled ompt "${source##*/}" "$1" || return
	command=("$compiled")
	[ -z "$program" ] || command+=("$program")
}

# A libomp with assertions fails one of its own now and then, where threads steal chunks of a dynamic loop, recorded or
# not: then once more.
recorded() { # trace, log
	local attempt
	for attempt in 1 2 3; do
		rm -f "$1"
		WINNOW_OUT=$1 LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder timeout 60 "${command[@]}" >"$2" 2>&1 && return
		[ "$attempt" -lt 3 ] && grep -q "Assertion failure at kmp_dispatch.cpp.*vnew.p.ub" "$2" || return 1
	done
}

# compiler, runtime, threads
run() {
	local trace=$work/$name.$1.$2.$3.winnow log=$work/$name.$1.$2.$3.log
	find_program "$1" || return
	rm -f "$trace"
	forget_dead_runtimes # of programs that end at once on a runtime that is too old for them
	export LD_LIBRARY_PATH=$runtimes/$2 OMP_NUM_THREADS=$3 OMP_CANCELLATION=true
	if ! recorded "$trace" "$log"; then
		if LD_BIND_NOW=1 timeout 60 "${command[@]}" >/dev/null 2>&1; then
			say "not ok" "$name $1 libomp $2 threads $3: the program fails"
			sed 's/^/# /' "$log"
		else
			say ok "$name $1 libomp $2 threads $3 # SKIP does not run on this libomp"
		fi
		return
	fi
	checked "$name $1 libomp $2 threads $3" "$source" "program=$program" "threads=$3" "runtime=$2" "compiler=$1"
}

# compiler, runtime
run_as_tool() {
	local trace=$work/$name.$1.$2.tool.winnow log=$work/$name.$1.$2.tool.log
	find_program "$1" || return
	rm -f "$trace"
	export LD_LIBRARY_PATH=$runtimes/$2 OMP_NUM_THREADS=2 OMP_CANCELLATION=true
	forget_dead_runtimes
	LD_BIND_NOW=1 timeout 20 "${command[@]}" >"$log" 2>&1 || return
	WINNOW_OUT=$trace OMP_TOOL_LIBRARIES=$recorder timeout 60 "${command[@]}" >"$log" 2>&1
	checked "$name $1 libomp $2 as a tool only" --balance
}

# runtime: built by gcc, on libomp in libgomp's place
run_as_gomp() {
	local trace=$work/$name.gcc.$1.winnow log=$work/$name.gcc.$1.log
	find_program gcc || return
	rm -f "$trace"
	mkdir -p "$work/gomp.$1"
	ln -sf "$(realpath "$runtimes/$1/libomp.so.5")" "$work/gomp.$1/libgomp.so.1"
	export LD_LIBRARY_PATH=$work/gomp.$1 OMP_NUM_THREADS=4 OMP_CANCELLATION=true
	if WINNOW_OUT=$trace LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder timeout 60 "${command[@]}" >"$log" 2>&1; then
		checked "$name gcc libomp $1 in libgomp's place" --balance
	else
		result "$name gcc libomp $1 in libgomp's place" "$(cat "$log")"
	fi
}

# One line for what CHECK says of $trace; the trace stays where that is bad.
checked() { # sentence, arguments
	local sentence=$1
	shift
	if "$check" "$trace" "$@" >"$log" 2>&1; then
		say ok "$sentence"
		rm -f "$trace" "$log"
	else
		say "not ok" "$sentence"
		grep -v '^ok' "$log" | sed 's/^/# /'
	fi
}

# The dynamic linker has little room for the static kind in libraries that come late, as a tool does;
# what does not fit is not loaded, without a word.
check_thread_storage() {
	local bytes
	bytes=$(readelf -lW "$recorder" | awk '$1 == "TLS" { print $6 }')
	if [ $((bytes)) -le 512 ]; then
		say ok "the recorder has $((bytes)) bytes of thread-local storage"
	else
		say "not ok" "the recorder has $((bytes)) bytes of thread-local storage"
	fi
}

# Everything of one program: $source, $program
run_program() {
	local usable='' way counts t runtime
	name=${source##*/}
	name=${program:-${name%.c}}
	for way in $ways; do
		is_compiled ompt "${source##*/}" "${way%,*}" && [ -e "$runtimes/${way#*,}/libomp.so.5" ] && usable+=" $way"
	done
	while read -r way counts; do
		for t in $counts; do
			run "${way%,*}" "${way#*,}" "$t"
		done
	done < <(covering "ompt $name" "$usable" "$threads")
	# shellcheck disable=SC2086
	for way in $(one_of "ompt tool $name" $usable); do
		run_as_tool "${way%,*}" "${way#*,}"
	done
	grep -q '// GCC' "$source" || return
	for runtime in $libomps; do
		[ -e "$runtimes/$runtime/libomp.so.5" ] && run_as_gomp "$runtime"
	done
}

check_thread_storage
for source; do
	while read -r program; do
		run_program < /dev/null
	done < <(programs_in "$source")
done
done_testing
