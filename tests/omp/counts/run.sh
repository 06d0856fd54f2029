#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD [--full N] - records each program of `cases` and holds the trace against the counts that
# the program wrote in the same run. TAP: one line for each case, compiler and runtime, over all numbers
# of threads; then the lineages, which are the same everywhere; then the sizes of published graphs.
#
# Without --full a selection of compilers, runtimes and numbers of threads, once; with it everything, N
# times. Figures go to the log as "# runs N, differences N". WN_COUNTS_ONLY=PROGRAM narrows it.
set -u

build=$(realpath "$1")
repeats=1
threads='1 2 4'
compilers='gcc clang-14'
runtimes_wanted='14 19'
if [ "${2-}" = --full ]; then
	repeats=$3
	threads='1 2 4 8'
	compilers='gcc clang-14 clang-19 clang-22'
	runtimes_wanted='14 16 19'
fi
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../../bench/programs
counts=$build/tests/omp/counts/omp-counts
runtimes=$build/runtimes
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-counts.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH OMP_SCHEDULE
unset MALLOC_PERTURB_ # as in tests/crash/common.bash
n_runs=0 n_differences=0
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

# clang 19 and 22 call entry points that libomp 14 lacks, so programs are linked to the youngest
compile() { # compiler
	local source link=
	mkdir -p "$work/$1"
	case $1 in clang*) link="-L$work/link" ;; esac
	for source in "$programs"/*.c; do
		# a list of words, or none
		# shellcheck disable=SC2086
		"$1" -std=c17 -O2 -g -fopenmp -DWN_COUNT "$source" $link -lm \
			-o "$work/$1/$(basename "$source" .c)" 2> "$work/errors" || return
	done
}

# One recorded run. $words: the program and its arguments.
record_once() { # compiler, threads, options for counts...
	local compiler=$1 t=$2 status
	shift 2
	rm -f "$work"/t "$work"/t.* "$work/c"
	OMP_NUM_THREADS=$t OMP_DYNAMIC=false WN_COUNT_FILE=$work/c timeout 120 \
		"$build/winnow" record -o "$work/t" "$work/$compiler/${words[0]}" "${words[@]:1}" \
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

# A case on one compiler and runtime: all threads, all repeats.
run_case() { # compiler, runtime, lineage, options, words
	local compiler=$1 runtime=$2 lineage=$3 options=() bad=0 t i option
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
	if ! LD_BIND_NOW=1 "$work/$compiler/${words[0]}" --help > "$work/output" 2>&1; then
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

run_all() { # compiler, runtime
	local program lineage options arguments
	while read -r program lineage options arguments; do
		case $program in '#'*) continue ;; esac
		[ "${WN_COUNTS_ONLY:-$program}" = "$program" ] || continue
		run_case "$1" "$2" "$lineage" "$options" "$program $arguments"
	done < "$here/cases"
}

# The sizes of graphs in print: grains with wrappers, nodes, fork-joins, most nodes to be seen at once.
structure() { # compiler, grains, nodes, fork-joins, theta, words
	local compiler=$1 expected="grains $2 nodes $3 fork_joins $4" found theta=$5
	shift 5
	words=("$@")
	[ "${WN_COUNTS_ONLY:-$1}" = "$1" ] || return
	[ "$compiler" = gcc ] || export LD_LIBRARY_PATH=$runtimes/14
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

mkdir -p "$work/link"
[ ! -e "$runtimes/19/libomp.so.5" ] || ln -s "$runtimes/19/libomp.so.5" "$work/link/libomp.so"
for compiler in $compilers; do
	if ! command -v "$compiler" > /dev/null; then
		say ok "programs of $compiler # SKIP no $compiler"
		continue
	fi
	if [ "$compiler" != gcc ] && [ ! -e "$work/link/libomp.so" ]; then
		say ok "programs of $compiler # SKIP no runtimes: tools/fetch-runtimes.sh $runtimes"
		continue
	fi
	if ! compile "$compiler"; then
		sed 's/^/# /' "$work/errors"
		say "not ok" "$compiler builds the programs"
		continue
	fi
	if [ "$compiler" = gcc ]; then
		run_all gcc libgomp
	else
		for runtime in $runtimes_wanted; do
			[ ! -e "$runtimes/$runtime/libomp.so.5" ] || run_all "$compiler" "$runtime"
		done
	fi
	case $compiler in
	gcc | clang-14)
		structure "$compiler" 21492 24568 1537 70 nqueens 14 4
		structure "$compiler" 137258 176480 19610 60 strassen 512 8
		structure "$compiler" 23905 24161 127 1154 sparselu 64 8
		;;
	esac
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
