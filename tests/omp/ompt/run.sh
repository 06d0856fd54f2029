#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh RECORDER CHECK RUNTIMES WORK [PROGRAM...] - record every program and check its trace.
#
# Each program of programs/ is built by each clang present, run on each libomp in RUNTIMES (as made
# by tools/fetch-runtimes.sh) with 1, 2, 4 and 8 threads, and its trace is held against the EXPECT
# lines of its source. One TAP line for each run. A source may say "// FLAGS: ..." to its compilers,
# which of them know it by "// COMPILERS: ...", and have a library NAME.lib.c. Combinations that do not start without the recorder either (a
# libomp too old for the compiler) are skipped.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

recorder=$(realpath "$1")
check=$(realpath "$2")
runtimes=$3
work=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
threads=${WN_OMPT_THREADS:-1 2 4 8}
compilers=${WN_OMPT_COMPILERS:-clang-14 clang-19 clang-22}
headers=/usr/lib/llvm-14/lib/clang/14.0.6/include
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

if [ ! -e "$runtimes/19/libomp.so.5" ]; then
	echo "1..0 # SKIP no runtimes: tools/fetch-runtimes.sh $runtimes"
	exit 0
fi

# clang 19 and 22 call entry points that libomp 14 lacks, so programs are linked to the youngest
mkdir -p "$work/link"
ln -sf "$(realpath "$runtimes/19/libomp.so.5")" "$work/link/libomp.so"
if [ $# -eq 0 ]; then
	for source in "$here"/programs/*.c; do
		case $source in *.lib.c) ;; *) set -- "$@" "$source" ;; esac
	done
fi

# What a line "// NAME: ..." of a source says.
said() {
	sed -n "s,.*// $2: ,,p" "$1"
}

# A program's library, if it has one, is NAME.lib.c beside it.
build() {
	local flags library=()
	flags=$(said "$2" FLAGS)
	if [ -e "${2%.c}.lib.c" ]; then
		library=("$3.so" "-Wl,-rpath,$work")
		"$1" -O1 -g -fPIC -shared -fopenmp=libomp -L"$work/link" -idirafter "$headers" \
			-o "$3.so" "${2%.c}.lib.c" 2>"$3.log" || return 1
	fi
	# shellcheck disable=SC2086
	"$1" -O1 -g -fopenmp=libomp $flags -L"$work/link" -idirafter "$headers" -o "$3" "$2" \
		"${library[@]}" 2>"$3.log"
}

# program name, compiler, runtime, threads
run() {
	local trace=$work/$1.$2.$3.$4.winnow log=$work/$1.$2.$3.$4.log
	rm -f "$trace"
	forget_dead_runtimes # of programs that end at once on a runtime that is too old for them
	export LD_LIBRARY_PATH=$runtimes/$3 OMP_NUM_THREADS=$4 OMP_CANCELLATION=true
	if ! WINNOW_OUT=$trace LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder \
		timeout 60 "$work/$1.$2" >"$log" 2>&1; then
		if LD_BIND_NOW=1 timeout 60 "$work/$1.$2" >/dev/null 2>&1; then
			say "not ok" "$1 $2 libomp $3 threads $4: the program fails"
			sed 's/^/# /' "$log"
		else
			say ok "$1 $2 libomp $3 threads $4 # SKIP does not run on this libomp"
		fi
		return
	fi
	if "$check" "$trace" "$here/programs/$1.c" "threads=$4" "runtime=$3" "compiler=$2" >"$log" 2>&1; then
		say ok "$1 $2 libomp $3 threads $4"
		rm -f "$trace" "$log"
	else
		say "not ok" "$1 $2 libomp $3 threads $4"
		grep -v '^ok' "$log" | sed 's/^/# /'
	fi
}

# program name, compiler, runtime
run_as_tool() {
	local trace=$work/$1.$2.$3.tool.winnow log=$work/$1.$2.$3.tool.log
	rm -f "$trace"
	export LD_LIBRARY_PATH=$runtimes/$3 OMP_NUM_THREADS=2 OMP_CANCELLATION=true
	forget_dead_runtimes
	LD_BIND_NOW=1 timeout 20 "$work/$1.$2" >"$log" 2>&1 || return
	WINNOW_OUT=$trace OMP_TOOL_LIBRARIES=$recorder timeout 60 "$work/$1.$2" >"$log" 2>&1
	if "$check" "$trace" --balance >"$log" 2>&1; then
		say ok "$1 $2 libomp $3 as a tool only"
		rm -f "$trace" "$log"
	else
		say "not ok" "$1 $2 libomp $3 as a tool only"
		grep -v '^ok' "$log" | sed 's/^/# /'
	fi
}

# program name, runtime: built by gcc, on libomp in libgomp's place
run_as_gomp() {
	local trace=$work/$1.gcc.$2.winnow log=$work/$1.gcc.$2.log
	rm -f "$trace"
	mkdir -p "$work/gomp.$2"
	ln -sf "$(realpath "$runtimes/$2/libomp.so.5")" "$work/gomp.$2/libgomp.so.1"
	export LD_LIBRARY_PATH=$work/gomp.$2 OMP_NUM_THREADS=4 OMP_CANCELLATION=true
	if WINNOW_OUT=$trace LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder \
		timeout 60 "$work/$1.gcc" >"$log" 2>&1 &&
		"$check" "$trace" --balance >"$log" 2>&1; then
		say ok "$1 gcc libomp $2 in libgomp's place"
		rm -f "$trace" "$log"
	else
		say "not ok" "$1 gcc libomp $2 in libgomp's place"
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

check_thread_storage
for source in "$@"; do
	name=$(basename "$source" .c)
	only=$(said "$source" COMPILERS)
	for compiler in $compilers; do
		command -v "$compiler" >/dev/null || continue
		case " ${only:-$compiler} " in *" $compiler "*) ;; *) continue ;; esac
		if ! build "$compiler" "$source" "$work/$name.$compiler"; then
			say "not ok" "$name builds with $compiler"
			sed 's/^/# /' "$work/$name.$compiler.log"
			continue
		fi
		for runtime in 14 16 19; do
			[ -e "$runtimes/$runtime/libomp.so.5" ] || continue
			for t in $threads; do
				run "$name" "$compiler" "$runtime" "$t"
			done
			run_as_tool "$name" "$compiler" "$runtime"
		done
	done
	grep -q '// GCC' "$source" && command -v gcc >/dev/null || continue
	gcc -O1 -g -fopenmp -o "$work/$name.gcc" "$source" || exit 1
	for runtime in 14 16 19; do
		[ -e "$runtimes/$runtime/libomp.so.5" ] && run_as_gomp "$name" "$runtime"
	done
done
done_testing
