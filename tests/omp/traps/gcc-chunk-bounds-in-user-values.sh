#!/bin/bash
# SPDX-License-Identifier: MIT
#
# gcc-chunk-bounds-in-user-values.sh BUILD - libgomp gives chunks in values of the user's variable, libomp
# counts from 0; the trace holds logical iterations either way, the very ones that each thread has run,
# with gcc the user's first value and step, and in each dynamic chunk as many as were asked for. Where
# libomp stands in for libgomp the report says that they are values. TAP.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH OMP_SCHEDULE MALLOC_PERTURB_

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
source=$here/gcc_chunk_bounds_in_user_values.c
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-trap.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

# What the trace says, in the program's form: by thread and time, chunks as their iterations.
cat > chunks.awk << 'END'
function value(name,    i, parts) {
	for (i = 3; i <= NF; i++) {
		split($i, parts, "=")
		if (parts[1] == name)
			return parts[2]
	}
	return "?"
}
$2 == "IMPLICIT_BEGIN" { member = value("thread_num") }
$2 == "LOOP_BEGIN" {
	trip = value("trip_count")
	line = member " " trip " " value("lower") " " value("step") ":"
	chunk = $3 ~ /dynamic/ && $3 !~ /runtime/ ? value("chunk") : 0
	begin = $1
	next_first = 0
	is_open = 1
	n_chunks = 0
}
$2 == "CHUNK_BEGIN" {
	first = next_first + value("gap")
	next_first = first + value("iterations")
	if (chunk && !is_any_size && (first % chunk || value("iterations") != (trip - first < chunk ? trip - first : chunk)))
		line = line " NOT-A-CHUNK"
	for (i = first; i < next_first; i++)
		line = line " " i
	n_chunks++
}
$2 == "STATIC_BEGIN" { line = line " A-SHARE"; n_chunks++ }
$2 == "WORK_END" && is_open {
	if (n_chunks)
		printf "%s %020d %s\n", member, begin, line
	is_open = 0
}
END
recorded() { # bounds, or - for none; 1 where chunks may have any size
	"$build/winnow" dump trace | LC_ALL=C awk -v is_any_size="$2" -f chunks.awk |
		sort -s -k1,1n -k2,2n | cut -d' ' -f3- |
		if [ "$1" = - ]; then sed -E 's/^([0-9]+ [0-9]+) [^:]*:/\1:/'; else cat; fi
}
told() { # the same, of the program's output
	sort -s -k1,1n output | grep -v ':$' | grep . |
		if [ "$1" = - ]; then sed -E 's/^([0-9]+ [0-9]+) [^:]*:/\1:/'; else cat; fi
}

check() { # sentence, bounds or -, 0 or 1
	told "$2" > told
	recorded "$2" "$3" > recorded
	if [ -s told ] && diff told recorded > wrong; then
		say ok "$1: $(wc -l < told) loops of threads"
	else
		head -20 wrong | sed 's/^/# /'
		say "not ok" "$1"
	fi
}

record() { # program, threads, schedule
	rm -f trace output
	OMP_NUM_THREADS=$2 OMP_DYNAMIC=false OMP_SCHEDULE=$3 "$build/winnow" record -o trace "$1" > output \
		2> log || sed 's/^/# /' log
}

if command -v gcc > /dev/null; then
	for level in -O0 -O2; do
		gcc -fopenmp $level -g "$source" -o by-gcc || exit 1
		for t in 1 2 4; do
			for schedule in dynamic,7 guided,3; do
				record ./by-gcc $t $schedule
				check "gcc $level on libgomp, $t threads, $schedule" bounds 0
			done
		done
	done
fi
mkdir link stand-in
ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
ln -s "$build/runtimes/$newest_libomp/libomp.so.5" stand-in/libgomp.so.1
if [ -e stand-in/libgomp.so.1 ] && [ -e by-gcc ]; then
	rm -f trace
	LD_LIBRARY_PATH=stand-in OMP_NUM_THREADS=2 WINNOW_OUT=$work/trace \
		LD_PRELOAD=$build/libwinnow-record.so OMP_TOOL_LIBRARIES=$build/libwinnow-record.so \
		./by-gcc > output 2> log
	if "$build/winnow" report --json trace | jq -r '.fidelity[].note' |
		grep -q "libomp stands in for gcc's libgomp: chunks are numbered by the loop variable"; then
		say ok "gcc on libomp: the report says that chunks are numbered by the loop variable"
	else
		say "not ok" "gcc on libomp: the report says that chunks are numbered by the loop variable"
	fi
fi
for compiler in $clangs; do
	command -v $compiler > /dev/null && [ -e link/libomp.so ] || continue
	$compiler -fopenmp=libomp -O2 -g -Llink -idirafter $libomp_headers "$source" -o by-clang || continue
	for runtime in ${libomps#14 }; do # 14 tells of no chunk, see for_dynamic in ../ompt/programs
		export LD_LIBRARY_PATH=$build/runtimes/$runtime
		LD_BIND_NOW=1 ./by-clang > output 2> log || continue
		for t in 1 2 4; do
			record ./by-clang $t dynamic,7
			check "$compiler on libomp $runtime, $t threads" - $((t == 1)) # which gets all at once
		done
	done
	unset LD_LIBRARY_PATH
done
done_testing
