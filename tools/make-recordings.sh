#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make-recordings.sh WINNOW DIR - records programs of this tree, so that two builds can be compared on
# them (compare-outputs.sh): every construct, by gcc's runtime, by LLVM's and by OPARI2; programs with a
# known fault; benchmarks; marks, pauses and counters; counted runs; imported tables; and recordings that
# are cut, damaged or of a killed program.
#
#   WINNOW  the command that records, or the folder where it was built
#   DIR     gets NAME.winnow for each; a recording that is there already is kept. DIR/programs gets the
#           programs, where reports find their functions and lines
#
# What a compiler, a counter or a runtime of this machine cannot do is left out, with a message.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH MALLOC_PERTURB_ "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"

[ $# -eq 2 ] || { sed -n 's/^# \{0,1\}//; 4,12p' "$0" >&2; exit 2; }
winnow=$(realpath "$1")
[ ! -d "$winnow" ] || winnow=$winnow/winnow
mkdir -p "$2/programs"
out=$(realpath "$2")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-recordings.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export OMP_NUM_THREADS=3 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=3

left_out() { # NAME REASON
	echo "make-recordings.sh: $1: $2; left out" >&2
}

# missing NAME: is there no such recording yet?
missing() {
	[ ! -e "$out/$1.winnow" ]
}

# keep NAME: trace.winnow is the recording of that name
keep() {
	if [ -s trace.winnow ]; then mv trace.winnow "$out/$1.winnow"; else left_out "$1" "no recording"; fi
	rm -f trace.winnow*
}

clang=$("$root/tools/toolchain.sh" clangs | head -n 1)
headers=$("$root/tools/toolchain.sh" headers || true)
# compile KIND SOURCE PROGRAM: with gcc, clang-14 (the oldest clang there is, LLVM's runtime), opari (gcc, instrumented), plugin
# (gcc, static loops report their chunks) or counting (the same clang, the program counts itself)
compile() {
	local command=()
	case $1-$2 in
	gcc-*.f90) command=(gfortran -cpp) ;;
	gcc-*.cpp) command=(g++) ;;
	opari-*) command=("$winnow" cc --opari -- gcc) ;;
	plugin-*) command=("$winnow" cc -- gcc) ;;
	counting-*) command=("$winnow" cc --count --footprint -- "$clang" -idirafter "$headers") ;;
	clang-14-*) command=("$clang" -idirafter "$headers") ;;
	*) command=(gcc) ;;
	esac
	"${command[@]}" -g -O1 -fopenmp -w -I"$root/include" -I"$root/tests/conformance" "$root/$2" -o "$3" -lm 2> compile.log ||
		{ left_out "$(basename "$3")" "$(tail -n 1 compile.log)"; return 1; }
}

# record NAME KIND SOURCE [OPTION...] [-- ARG...]: records SOURCE with OPTIONS, run with ARGS
record() {
	local name=$1 kind=$2 source=$3 options=()
	shift 3
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	missing "$name" || return 0
	compile "$kind" "$source" "$out/programs/$name" || return 0
	timeout 120 "$winnow" record "${options[@]}" -o trace.winnow "$out/programs/$name" "$@" > said.txt 2> errors.txt
	keep "$name"
}

# count NAME SOURCE ENGINE ARG...: a counted run
count() {
	local name=$1 source=$2 engine=$3
	shift 3
	missing "$name" || return 0
	compile gcc "$source" "$out/programs/$name" || return 0
	timeout 300 "$winnow" count --engine "$engine" -o trace.winnow "$out/programs/$name" "$@" > said.txt 2> errors.txt
	keep "$name"
}

# import NAME FILE OPTION...
import() {
	local name=$1
	shift
	missing "$name" || return 0
	"$winnow" import --quiet -o trace.winnow "$@" 2> errors.txt
	keep "$name"
}

# construct NAME KIND PROGRAM: records a program of tests/conformance, which has a file of its own or is one of several
# (tests/programs/several.h)
construct() {
	local file
	if file=$(grep -lx "PROGRAM($3)" "$root"/tests/conformance/programs/*.c); then
		record "$1" "$2" "${file#"$root/"}" -- "$3"
	else
		record "$1" "$2" "tests/conformance/programs/$3.c"
	fi
}

constructs() {
	local name
	for name in task task_if0 task_untied taskgroup taskwait taskyield taskloop_grainsize depend detach_early \
		for_static for_dynamic for_guided for_doacross for_ordered sections single critical lock nest_lock \
		parallel_nested cancel_taskgroup cancel_for teams recursion scope pthreads; do
		construct "gcc-$name" gcc $name
	done
	record gcc-fortran gcc tests/conformance/programs/fortran.f90 -- workshare_f
	for name in task depend detach_early for_dynamic for_static sections parallel_nested critical masked \
		taskloop_num_tasks taskgroup_reduction taskwait cancel_parallel; do
		construct "clang-$name" clang-14 $name
	done
	for name in task for_static lock; do
		construct "opari-$name" opari $name
	done
	construct plugin-for_static plugin for_static
	construct counting-task counting task
}

programs() {
	local name
	for name in imbalance serial start taskwait sweeps; do
		record "example-$name" gcc examples/$name.c
	done
	record example-feeder-clang clang-14 examples/feeder.c
	record example-pipeline gcc examples/pipeline.f90
	record bench-fib gcc bench/programs/fib.c -- 16 4
	record bench-fib-serial gcc bench/programs/fib.c -- 12 12
	record bench-sort-clang clang-14 bench/programs/sort.c -- 65536 2048 2048
	record bench-nqueens gcc bench/programs/nqueens.c -- 8 2
	record bench-sparselu gcc bench/programs/sparselu.c -- 10 8
	record bench-strassen gcc bench/programs/strassen.c -- 128 32
	record bench-health gcc bench/programs/health.c -- 3 3 20 2
	record bench-uts-clang clang-14 bench/programs/uts.c -- 300 --work=1000
}

facts() {
	record marks gcc tests/mark/programs/marks.c
	record marks-example gcc examples/mark/marked.c
	record paused gcc tests/mark/programs/pause.c --paused -- paused
	record paused-clang clang-14 tests/mark/programs/pause.c
	record counters gcc bench/programs/fib.c --counters task-clock,page-faults,context-switches -- 12 3
	count counted-native bench/programs/fib.c native 12 4
	count counted-qemu bench/programs/fib.c qemu 10 4
	count counted-loops tests/conformance/programs/for.c native for_dynamic
}

imports() {
	sed -n "/^#: verbs/,\$ { /<<'END'/,/^END/p }" "$root/tests/cli/import/tables.sh" | sed '1d;$d' > loops.csv
	import import-loops loops.csv
	printf '%s\n' task,parent,joins_at,exec_cycles,overhead_cycles,cpu_id 1,0,0,10,0,0 2,1,0,50,0,0 3,1,0,60,0,1 > in.csv
	printf '%s\n' task,ins_count,stack_read,stack_write,mem_fp,ccr,clr,mem_read,mem_write,outl_func \
		2,600,1,2,400,3,4,5,6,f 3,600000,1,2,600000,3,4,5,6,f > ins.csv
	import import-instructions in.csv --instructions ins.csv
	if missing import-table || missing import-graph; then
		"$winnow" export --format mir-csv -o table.csv "$out/bench-fib.winnow"
		"$winnow" export --format graphml -o graph.graphml "$out/bench-fib.winnow"
		import import-table table.csv --hz 1000000000
		import import-graph graph.graphml
	fi
}

# cut_recording NAME FROM BYTES: the first BYTES of another recording
cut_recording() {
	missing "$1" || return 0
	head -c "$3" "$out/$2.winnow" > trace.winnow
	keep "$1"
}

# damage NAME FROM OFFSET...: another recording, with eight bytes overwritten at each OFFSET
damage() {
	local name=$1 from=$2 offset
	shift 2
	missing "$name" || return 0
	cp "$out/$from.winnow" trace.winnow
	for offset; do
		printf '\252\252\252\252\252\252\252\252' | dd of=trace.winnow bs=1 seek="$offset" conv=notrunc status=none
	done
	keep "$name"
}

# kill_recording NAME KIND SOURCE ARG...: the program is killed in the middle
kill_recording() {
	local name=$1 kind=$2 source=$3
	shift 3
	missing "$name" || return 0
	compile "$kind" "$source" "$out/programs/$name" || return 0
	# the program itself, not `winnow record`, gets the signal
	printf '#!/bin/sh\n"$@" & sleep 0.4; kill -9 $!; wait\n' > killed.sh
	chmod +x killed.sh
	timeout 60 "$winnow" record -o trace.winnow ./killed.sh "$out/programs/$name" "$@" > said.txt 2> errors.txt
	keep "$name"
}

ends() {
	# blocks of 64 KiB: the header, the process, then one for each thread
	cut_recording cut-header bench-fib 100
	cut_recording cut-process bench-fib 70000
	cut_recording cut-threads bench-fib-serial 200000
	cut_recording cut-clang clang-task 295000
	damage damaged-header bench-fib 40
	damage damaged-process bench-fib 65600
	damage damaged-thread bench-fib-serial 196608
	damage damaged-records bench-fib-serial 200000
	kill_recording killed-gcc gcc bench/programs/fib.c 43 8
	kill_recording killed-clang clang-14 bench/programs/nqueens.c 14 2
	: > trace.winnow
	! missing empty || mv trace.winnow "$out/empty.winnow"
}

constructs
programs
facts
imports
ends
