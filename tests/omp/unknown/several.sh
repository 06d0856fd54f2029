#!/bin/bash
# SPDX-License-Identifier: MIT
#
# several.sh BUILD - several OpenMP runtimes in one process: all grains of each are recorded, and the runtimes are
# named. TAP.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH MALLOC_PERTURB_ OMP_NUM_THREADS
ulimit -c 0

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-several.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"
# shellcheck source-path=SCRIPTDIR source=../../here.bash
. "$here/../../here.bash"

record() { # arguments
	timeout 60 ./host "$@" > plain || echo "without us status $?"
	rm -f trace trace.*
	timeout 60 "$build/winnow" record -o trace ./host "$@" > output 2> talk || echo "status $?: $(cat talk)"
	cmp -s plain output || echo "prints $(cat output), without us $(cat plain)"
	"$build/winnow" report --json trace > report.json || echo "no report"
}

field() { # path, wanted
	local got
	got=$(jq -rc "$1" report.json)
	[ "$got" = "$2" ] || echo "$1 is $got, not $2"
}

# Each library opens a region with 10 tasks and 8 chunks.
holds() { # number of libraries, files of the runtimes
	counts $(($1 * 10)) $(($1 * 8)) "$1"
	named "$1" "$2"
}

counts() { # tasks, chunks, regions
	field .graph.explicit_tasks "$1"
	field .graph.chunks "$2"
	field .graph.parallel_regions "$3"
	field .recording.complete true
	"$build/winnow" check trace > checked || cat checked
}

named() { # number of runtimes, their files
	# beside other processes the times may say nothing
	field '.recording.withheld_because | if . and startswith("threads waited for a CPU") then null else . end' null
	field '.program.runtimes | map(split("/")[-1]) | join(" ")' "$2"
	jq -r '.fidelity[].note' report.json > notes
	grep -q "the process used $1 OpenMP runtimes (${2// /, })" notes || echo "no limitation: $(cat notes)"
	grep 'stands in' notes
}

if ! command -v gcc > /dev/null; then
	echo "1..0 # SKIP no gcc"
	exit 0
fi
gcc -O1 "$here/programs/host.c" -o host -ldl -pthread || exit 1
gcc -g -O1 -fopenmp -shared -fPIC "$here/programs/grains.c" -o gcc.so || exit 1

# As Python wheels bring it; a name of the same length can be written into the file.
mkdir private
sed 's/libgomp\.so\.1/libgomp-1.so/g' "$(gcc -print-file-name=libgomp.so)" > private/libgomp-1.so
sed 's/libgomp\.so\.1/libgomp-1.so/g' gcc.so > wheel.so
export LD_LIBRARY_PATH=$work/private
result "libgomp and a private copy of it" "$(record ./gcc.so ./wheel.so && holds 2 "libgomp.so.1 libgomp-1.so")"
unset LD_LIBRARY_PATH
result "one runtime for two libraries is one runtime" "$(
	cp gcc.so again.so
	record ./gcc.so ./again.so
	field .graph.explicit_tasks 20
	field '.program.runtimes | length' 1
	jq -r '.fidelity[].note' report.json | grep 'the process used'
)"

two_gccs() { # arguments of the host, tasks, chunks, regions
	export LD_LIBRARY_PATH=$work/private
	# shellcheck disable=SC2086 # words
	record $1 ./gcc.so ./wheel.so && counts "$2" "$3" "$4" && field '.program.runtimes | length' 2
}
result "a region of one libgomp in a region of another" "$(two_gccs --nest 20 16 3)"
result "two threads in two libgomps" "$(two_gccs --both 400 320 40)"

libomp=$build/runtimes/$newest_libomp
if command -v $newest_clang > /dev/null && [ -e "$libomp/libomp.so.5" ]; then
	ln -s "$libomp/libomp.so.5" libomp.so
	$newest_clang -g -O2 -fopenmp -shared -fPIC "$here/programs/grains.c" -o clang.so -L. -Wl,-rpath,"$libomp" || exit 1
	result "libgomp, then libomp" "$(record ./gcc.so ./clang.so && holds 2 "libgomp.so.1 libomp.so.5")"
	result "libomp, then libgomp" "$(record ./clang.so ./gcc.so && holds 2 "libomp.so.5 libgomp.so.1")"
	result "all three" "$(
		export LD_LIBRARY_PATH=$work/private
		record ./wheel.so ./clang.so ./gcc.so && holds 3 "libgomp-1.so libomp.so.5 libgomp.so.1"
	)"
	sed 's/libomp\.so\.5/libomp-2.so/g' "$libomp/libomp.so.5" > private/libomp-2.so
	sed 's/libomp\.so\.5/libomp-2.so/g' clang.so > other.so
	export LD_LIBRARY_PATH=$work/private KMP_DUPLICATE_LIB_OK=1
	two="libomp.so.5 libomp-2.so"
	result "two copies of libomp" "$(record ./clang.so ./other.so && holds 2 "$two")"
	result "the other one first" "$(record ./other.so ./clang.so && holds 2 "libomp-2.so libomp.so.5")"
	result "two of libomp, one of libgomp" "$(
		record ./clang.so ./gcc.so ./other.so && holds 3 "libomp.so.5 libgomp.so.1 libomp-2.so"
	)"
	result "a region of one libomp in a region of another" "$(record --nest ./clang.so ./other.so && counts 20 16 3 && named 2 "$two")"
	result "regions opened by tail calls, in turn" "$(record --last ./clang.so ./other.so && counts 12 8 4 && named 2 "$two")"
	result "two threads in two libomps" "$(record --both ./clang.so ./other.so && counts 400 320 40 && field '.program.runtimes | length' 2)"
fi
done_testing
