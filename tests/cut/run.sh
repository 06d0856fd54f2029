#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD [all] - makes recordings of all constructs, cuts them as a killed process may leave
# them (cuts.c), and holds each part against the laws. TAP.
#
# Without `all`, or WN_CUTS=all: one program for each construct, on libgomp and the youngest libomp,
# some hundred cuts of each. With it: all programs of tests/ on all runtimes, by all sources, with
# WN_CUT_SEEDS (24) random programs for each, WN_CUT_THREADS threads each, and each cut of those that have no more than
# 4000 of a kind. WN_CUT_KINDS narrows the kinds, WN_SEED repeats the cuts of a run; WN_CUT_FOLDER
# is where the recordings are left.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"
unset MALLOC_PERTURB_ # as in tests/crash/common.bash
build=$(realpath "$1")
# shellcheck source-path=SCRIPTDIR source=../here.bash
. "$(dirname "$0")/../here.bash"
is_all=${2:-${WN_CUTS:-}}
here=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$here")
folder=${WN_CUT_FOLDER:-$(mktemp -d "${TMPDIR:-/tmp}/winnow-cut.XXXXXX")}
[ -n "${WN_CUT_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/link"
ln -sf "$build/runtimes/$newest_libomp/libomp.so.5" "$folder/link/libomp.so"
seed=${WN_SEED:-$(date +%s)}
options=(--seed "$seed")

kinds="gcc:0 $oldest_clang:$newest_libomp"
programs=("$here"/programs/*.c)
n_seeds=2
if [ "$is_all" = all ]; then
	kinds="gcc:0 ${libomp_ways//,/:} opari-gcc:0 grain-gcc:0 grain-$oldest_clang:$oldest_libomp"
	programs+=("$tests"/conformance/programs/*.c "$tests"/omp/libgomp/programs/*.c
		"$tests"/omp/ompt/programs/*.c "$tests"/control/programs/*.c "$tests"/mark/programs/*.c)
	n_seeds=${WN_CUT_SEEDS:-24}
else
	options+=(--cuts 150 --reports 12 --replayed 1000000)
	for name in cancel_for cancel_parallel cancel_taskgroup critical depend depend_if0 depend_sets detach_early \
		detach_late for_doacross for_dynamic for_guided for_ordered for_static for_static_n lock nest_lock \
		parallel_nested pthreads recursion rogue scope sections single task task_if0 task_untied taskgroup \
		taskgroup_reduction taskloop_grainsize taskloop_nogroup taskwait taskwait_depend taskyield teams; do
		file=$(grep -lx "PROGRAM($name)" "$tests"/conformance/programs/*.c) && programs+=("$file:$name") ||
			programs+=("$tests/conformance/programs/$name.c")
	done
fi
kinds=${WN_CUT_KINDS:-$kinds}

# A random program for a kind, from a seed
write_random() { # kind, seed
	local compiler=${1%:*} place=$folder/random-$2/programs
	mkdir -p "$place"
	cp "$tests"/random/support.[ch] "$folder/random-$2"
	"$build/tests/random/random-program" "$2" 1 c "$compiler" "${1#*:}" 4 "$place/${1/:/-}.c" -
}

for kind in $kinds; do
	[ "${kind#*:}" = 0 ] || [ -e "$build/runtimes/${kind#*:}/libomp.so.5" ] || continue
	printf '%s\n' "${programs[@]}" | sed "s#^#$kind\n#"
	for ((i = 0; i < n_seeds; i++)); do
		write_random "$kind" $((seed + i)) && printf '%s\n' "$kind" "$folder/random-$((seed + i))/programs/${kind/:/-}.c"
	done
done > "$folder/list"
xargs -d '\n' -n 2 -P "${WN_JOBS:-$(nproc)}" "$here/record.sh" "$build" "$folder" < "$folder/list"
[ "$is_all" != all ] || echo "# $(find "$folder" -maxdepth 1 -name '*.winnow' | wc -l) recordings"
"$build/tests/cut/cut-recordings" "${options[@]}" "$folder"/*.winnow
