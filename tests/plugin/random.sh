#!/bin/bash
# SPDX-License-Identifier: MIT
#
# random.sh BUILD LOOPS RUNTIME COMPILER [FLAG]... - random static loops, compiled by
# `winnow cc -- COMPILER FLAG...`: the recorded chunks are those that the loops saw, and what the
# program prints is the same without the plug-in, without the recorder and with both.
# RUNTIME is libgomp or libomp. Of the programs, eight loops each, two run, others for each choice (tests/tap.bash).
# WN_SEED: the first seed; WN_LOOPS instead of LOOPS; either runs all. Prints TAP.
set -u

build=$(realpath "$1") n_loops=${WN_LOOPS:-$2} runtime=$3
shift 3
compiler=("$@")
here=$(cd "$(dirname "$0")" && pwd)
winnow=$build/winnow
first=${WN_SEED:-1}
per_program=8
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}
command -v "${compiler[0]}" > /dev/null || skip "no ${compiler[0]}"
"$winnow" cc --flags "${compiler[0]}" > /dev/null 2>&1 || skip "no plug-in for ${compiler[0]}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
# clang's programs have the youngest libomp of BUILD/runtimes, where there is one
# shellcheck source-path=SCRIPTDIR source=../here.bash
. "$here/../here.bash"
if [ "$runtime" = libomp ] && [ "$newest_libomp" != none ]; then
	mkdir link
	ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
	compiler+=("-L$folder/link")
	export LD_LIBRARY_PATH=$build/runtimes/$newest_libomp
fi
echo 'int main(void) { return 0; }' > empty.c
"${compiler[@]}" -fopenmp empty.c -o empty 2> /dev/null || skip "${compiler[*]} does not link"
source=$folder/loops.c

# The first thing that is wrong with the program of a seed.
look() {
	"$build/tests/plugin/loops" "$1" $per_program "$runtime" > "$source" || { echo "no program"; return; }
	"${compiler[@]}" -fopenmp "$source" -o plain 2> plain.log || { tail -3 plain.log; return; }
	"$winnow" cc -- "${compiler[@]}" -fopenmp "$source" -o hooked 2> hooked.log ||
		{ tail -3 hooked.log; return; }
	./plain > plain.out 2> plain.err || echo "the plain program fails"
	./hooked > hooked.out 2> seen || echo "the program fails"
	cmp plain.out hooked.out 2>&1 || return
	rm -f trace
	"$winnow" record -o trace ./hooked > recorded.out 2> recorded.err ||
		{ head -3 recorded.err; return; }
	cmp plain.out recorded.out 2>&1 || return
	"$winnow" dump trace | LC_ALL=C awk -f "$here/chunks.awk" | LC_ALL=C sort -n -k1,1 -k2,2 |
		cut -d' ' -f3- > told
	LC_ALL=C sort -s -n -k1,1 seen | diff - told | cut -c1-300 | head -6
	[ -s told ] || echo "no loop was recorded"
}

n_programs=$(((n_loops + per_program - 1) / per_program))
[ -z "${WN_SEED:-}${WN_LOOPS:-}" ] || WN_CHOICE=all
for i in $(some_of "loops ${compiler[*]}" 2 "$n_programs"); do
	result "${compiler[*]} $runtime, seed $((first + i))" "$(look $((first + i)))"
done
done_testing
