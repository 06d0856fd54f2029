#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD [N] - records each program of `cases` N times (1) and compares the trace with the counts that the program
# wrote in the same run. TAP: one line for each case, compiler and runtime, over its numbers of threads, which depend on
# the choice (tests/tap.bash); then the lineages, which are the same everywhere; then the sizes of published graphs.
#
# Figures go to the log as "# runs N, differences N". WN_COUNTS_ONLY=PROGRAM narrows it.
set -u

build=$(realpath "$1")
repeats=${2:-1}
here=$(cd "$(dirname "$0")" && pwd)
counts=$build/tests/omp/counts/omp-counts
runtimes=$build/runtimes
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-counts.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH OMP_SCHEDULE
unset MALLOC_PERTURB_ # as in tests/crash/common.bash
n_runs=0 n_differences=0
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"
ways="gcc,libgomp $libomp_ways"

# One recorded run. $words: the program and its arguments.
record_once() { # compiler, threads, options for counts...
	local compiler=$1 t=$2 program status
	shift 2
	program=$(compiled counts "${words[0]}.c" "$compiler")
	rm -f "$work"/t "$work"/t.* "$work/c"
	OMP_NUM_THREADS=$t OMP_DYNAMIC=false WN_COUNT_FILE=$work/c timeout 120 \
		"$build/winnow" record -o "$work/t" "$program" "${words[@]:1}" \
		> "$work/output" 2> "$work/errors"
	status=$?
	n_runs=$((n_runs + 1))
	if [ $status -ne 0 ]; then
		n_differences=$((n_differences + 1))
		echo "# threads $t: exit status $status: $(tail -n 1 "$work/output" "$work/errors" | tr '\n' ' ')"
		return 1
	fi
	"$counts" "$work/t" "$work/c" "$@" > "$work/compared"
	status=$?
	if [ $status -ne 0 ]; then
		n_differences=$((n_differences + 1))
		echo "# threads $t:"
		grep -v '^lineage' "$work/compared" | cut -c 1-400 | sed 's/^#* */# /'
		if [ -n "${WN_COUNTS_KEEP-}" ]; then
			mkdir -p "$WN_COUNTS_KEEP"
			cp "$work/t" "$WN_COUNTS_KEEP/$n_runs.winnow"
			cp "$work/c" "$WN_COUNTS_KEEP/$n_runs.counts"
			echo "# kept as $WN_COUNTS_KEEP/$n_runs.*: $compiler threads $t ${words[*]}"
		fi
		return 1
	fi
}

# A case on one compiler and runtime: these threads, all repeats.
run_case() { # compiler, runtime, threads, lineage, options, words
	local compiler=$1 runtime=$2 threads=$3 lineage=$4 options=() bad=0 t i option
	shift
	for option in ${4//,/ }; do
		case $option in
		-) ;;
		static) [ "$compiler" != gcc ] || options+=(--no-chunks) ;;
		*) options+=("--$option") ;;
		esac
	done
	[ "$runtime" = libgomp ] || export LD_LIBRARY_PATH=$runtimes/$runtime
	read -r -a words <<< "$5"
	case ${words[1]} in
	runtime:*) export OMP_SCHEDULE=${words[1]#runtime:} && words[1]=runtime ;;
	esac
	if ! LD_BIND_NOW=1 "$(compiled counts "${words[0]}.c" "$compiler")" --help > "$work/output" 2>&1; then
		say ok "$5: $compiler, $runtime # SKIP does not start on this libomp"
		return
	fi
	for t in $threads; do
		for ((i = 0; i < repeats; i++)); do
			record_once "$compiler" "$t" ${options[@]+"${options[@]}"} || bad=1
			[ "$lineage" = - ] || echo "${5// /_} $(cut -d ' ' -f 1-4 "$work/compared")" >> "$work/lineages"
		done
	done
	unset LD_LIBRARY_PATH OMP_SCHEDULE
	local verdict=ok
	[ $bad -eq 0 ] || verdict='not ok'
	say "$verdict" "$5: $compiler, $runtime"
}

# The sizes of graphs in print: grains with wrappers, nodes, fork-joins, most nodes to be seen at once.
structure() { # compiler, grains, nodes, fork-joins, theta, words
	local compiler=$1 expected="grains $2 nodes $3 fork_joins $4" found theta=$5
	shift 5
	words=("$@")
	[ "${WN_COUNTS_ONLY:-$1}" = "$1" ] || return
	[ "$compiler" = gcc ] || export LD_LIBRARY_PATH=$runtimes/$oldest_libomp
	record_once "$compiler" 2 > "$work/why"
	found=$(sed -n 's/^lineage.* \(grains.*\)/\1/p' "$work/compared")
	unset LD_LIBRARY_PATH
	"$build/winnow" report "$work/t" --fail-if "theta_max != $theta" > "$work/output" 2>> "$work/why"
	if [ ! -s "$work/why" ] && [ "$found" = "$expected" ]; then
		say ok "$*, $compiler: $expected, theta $theta"
	else
		cat "$work/why"
		say "not ok" "$*, $compiler: $found, expected $expected"
	fi
}

usable=
for way in $ways; do
	compiled counts fib.c "${way%,*}" > /dev/null || continue
	[ "${way#*,}" = libgomp ] || [ -e "$runtimes/${way#*,}/libomp.so.5" ] || continue
	usable+=" $way"
done
while read -r program lineage options arguments; do
	case $program in '#'*) continue ;; esac
	[ "${WN_COUNTS_ONLY:-$program}" = "$program" ] || continue
	while read -r way threads; do
		run_case "${way%,*}" "${way#*,}" "$threads" "$lineage" "$options" "$program $arguments"
	done < <(covering "counts $program $arguments" "$usable" "1 2 4 8")
done < "$here/cases"
for compiler in gcc $oldest_clang; do
	case $usable in *" $compiler,"*) ;; *) continue ;; esac
	structure "$compiler" 21492 24568 1537 70 nqueens 14 4
	structure "$compiler" 137258 176480 19610 60 strassen 512 8
	structure "$compiler" 23905 24161 127 1154 sparselu 64 8
done

if [ -e "$work/lineages" ]; then
	while read -r name; do
		sort "$work/lineages" | uniq -c | grep " $name " > "$work/same"
		if [ "$(wc -l < "$work/same")" -eq 1 ]; then
			say ok "${name//_/ }: one set of lineages on all runtimes and teams"
		else
			sed 's/^/# /' "$work/same"
			say "not ok" "${name//_/ }: one set of lineages on all runtimes and teams"
		fi
	done < <(cut -d ' ' -f 1 "$work/lineages" | sort -u)
fi
echo "# runs $n_runs, differences $n_differences"
done_testing
