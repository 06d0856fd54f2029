# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# try.bash - one batch of random programs on one compiler, runtime and number of threads: is what was
# recorded what is known? For run.sh and reduce.sh, which set
#
#   build     the build folder
#   tools     the folder of random-program and recorded
#   runtimes  the folder of the libomps, as tools/fetch-runtimes.sh makes it
#   work      a folder of one's own
#   threads   the numbers of threads that make_batch() is to know the truth of

unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"
unset MALLOC_PERTURB_ # as in tests/crash/common.bash
export OMP_DYNAMIC=false OMP_MAX_ACTIVE_LEVELS=2 OMP_CANCELLATION=true
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../here.bash
. "$here/../here.bash"

WN_GFORTRAN=$(gfortran -dumpversion 2> /dev/null | sed 's/[^0-9].*//')
export WN_GFORTRAN

language_of() { # compiler
	case $1 in
	*++*) echo c++ ;;
	*gfortran*) echo fortran ;;
	*) echo c ;;
	esac
}

command_of() { # compiler
	local command=${1#opari-}
	echo "${command#grain-}"
}

family_of() { # compiler
	case $(command_of "$1") in clang*) echo clang ;; *) echo gcc ;; esac
}

# How make_batch's program is recorded
source=auto

# Writes $work/program.* and $work/truth.THREADS for each of $threads; builds $work/program.
# A call that clang made of two that are alike has one line: there is none here.
make_batch() { # first seed, number of programs, compiler, runtime, options for random-program...
	local first=$1 n=$2 compiler=$3 runtime=$4 language family extension=c t options='-O1 -g -fopenmp -w'
	shift 4
	source=auto
	[ "${compiler#grain-}" = "$compiler" ] || source=ompt-grain
	language=$(language_of "$compiler")
	family=$(family_of "$compiler")
	case $language in c++) extension=cc ;; fortran) extension=f90 ;; esac
	[ "$family" = gcc ] || options="$options -fopenmp-version=51 -mllvm -simplifycfg-sink-common=false -mllvm -enable-tail-merge=false"
	[ "$language" != fortran ] || options="$options -ffree-line-length-none -J$work"
	for t in $threads; do
		"$tools/random-program" "$first" "$n" "$language" "$compiler" "$runtime" "$t" \
			"$work/program.$extension" "$work/truth.$t" "$@" || return
	done
	local support=$work/support.$family.o link=()
	if [ "$family" = clang ]; then
		mkdir -p "$work/link"
		ln -sf "$runtimes/$newest_libomp/libomp.so.5" "$work/link/libomp.so"
		link=("-L$work/link")
	fi
	if [ ! -e "$support" ]; then
		local c_compiler=gcc
		[ "$family" = gcc ] || c_compiler=clang-${compiler##*-}
		"$c_compiler" -O1 -g -fopenmp -c "$here/support.c" -o "$support" || return
	fi
	local command
	command=("$(command_of "$compiler")")
	[ "${compiler#opari-}" = "$compiler" ] || command=("$build/winnow" cc --opari -- "${command[@]}")
	# shellcheck disable=SC2086
	"${command[@]}" $options -I "$here" -c "$work/program.$extension" -o "$work/program.o" &&
		"${command[@]}" $options "$work/program.o" "$support" "${link[@]}" -o "$work/program"
}

# Are the facts of a recording those that are known? $why says what is wrong.
compare_facts() { # threads
	"$tools/recorded" "$work/trace" "$work/truth.$1" > "$work/seen" 2> "$work/errors"
	grep -v -e '^node ' -e '^sum ' -e '^limit ' "$work/truth.$1" > "$work/want"
	if ! diff "$work/want" "$work/seen" > "$work/differences"; then
		why="facts: $(grep -m 1 '^[<>]' "$work/differences" | cut -c 1-200)"
		return 1
	fi
}

# Two waits of one grain look like one if they come within a tick of the clock: once in some thousand
# runs the first name of a wait says nothing. WN_RANDOM_CLOCK=coarse: often, as under an emulator whose
# clock ticks once a microsecond.
may_be_one_tick() {
	diff <(sed -E 's/(joined=(group|taskwait):[^ ]*):[^: ]*/\1/' "$work/want") \
		<(sed -E 's/(joined=(group|taskwait):[^ ]*):[^: ]*/\1/' "$work/seen") > /dev/null
}

# The counts of the report, and that it names what this source cannot see.
compare_report() { # threads
	"$build/winnow" report --json "$work/trace" > "$work/report" 2> "$work/errors" || {
		why="report: $(tail -n 1 "$work/errors")"
		return 1
	}
	local counted seen said
	counted=$(awk '/^task / { tasks++ } /^region / { regions++; sub(/.*team=/, ""); implicit += $1 }
		/^sections / { sections += NF - 3 } END { print tasks + 0, regions + 0, implicit + 0, sections + 0 }' \
		"$work/want")
	seen=$(jq -r '.graph | "\(.explicit_tasks) \(.parallel_regions) \(.implicit_tasks) \(.sections)"' "$work/report")
	if [ "$counted" != "$seen" ]; then
		why="report: tasks, regions, implicit tasks, sections are $seen, not $counted"
		return 1
	fi
	local limit
	while read -r limit; do
		case $limit in
		static-loops) said='static loop' ;;
		taskgroups) said='taskgroup, taskloop: not instrumented' ;;
		dependences) said='depend, detach, cancel' ;;
		final) said='final: not reported' ;;
		loop-iterations)
			grep -q '^loop ' "$work/want" || continue
			said='loop: chunks and iterations'
			;;
		*) continue ;; # what stands there is an estimate
		esac
		if ! jq -e --arg said "$said" 'any(.fidelity[]; .construct + ": " + .note | startswith($said))' \
			"$work/report" > /dev/null; then
			why="report: does not say that $limit are not seen"
			return 1
		fi
	done < <(sed -n 's/^limit //p' "$work/truth.$1")
}

# Does it go wrong without the recorder too, now and then? Some programs do, on libomp.
is_wrong_alone() { # runtime, threads, options for the program...
	local runtime=$1 t=$2 i end=$((SECONDS + 60))
	shift 2
	[ "$runtime" = 0 ] || local -x LD_LIBRARY_PATH=$runtimes/$runtime
	local -x OMP_NUM_THREADS=$t
	for ((i = 0; i < 100 && SECONDS < end; i++)); do
		timeout 20 "$work/program" "$@" > "$work/plain" 2> "$work/errors" || return 0
		cmp -s "$work/sums" "$work/plain" || return 0
	done
	return 1
}

# Runs and records what make_batch made. 0 = as it must be; 1 = not, $why says why; 2 = the program does
# not do what it must without the recorder either: its compiler's or its runtime's fault.
try() { # runtime, threads, options for the program...
	local runtime=$1 t=$2 status=0
	shift 2
	why=
	(
		[ "$runtime" = 0 ] || export LD_LIBRARY_PATH=$runtimes/$runtime
		export OMP_NUM_THREADS=$t
		LD_BIND_NOW=1 timeout 20 "$work/program" "$@" > "$work/plain" 2> "$work/errors" || exit 2
		timeout 120 "$build/winnow" record --source "$source" -o "$work/trace" "$work/program" "$@" \
			> "$work/output" 2> "$work/errors" || exit 3
	) || status=$?
	sed -n 's/^sum //p' "$work/truth.$t" > "$work/sums"
	case $status in
	0) ;;
	2)
		why="does not run by itself: $(head -n 1 "$work/errors" | cut -c 1-160)"
		return 2
		;;
	*)
		why="record: $(grep -v Hint "$work/errors" | tail -n 2 | tr '\n' ' ' | cut -c 1-200)"
		! is_wrong_alone "$runtime" "$t" "$@" || return 2
		return 1
		;;
	esac
	if ! cmp -s "$work/sums" "$work/plain"; then
		why='alone it does not compute what it must'
		return 2
	fi
	if ! cmp -s "$work/sums" "$work/output"; then
		why='the sum of the recorded program'
		! is_wrong_alone "$runtime" "$t" "$@" || return 2
	fi
	[ -n "$why" ] || "$build/winnow" check "$work/trace" > "$work/errors" 2>&1 ||
		why="check: $(tail -n 1 "$work/errors")"
	[ -z "$why" ] || return 1
	if ! compare_facts "$t"; then
		may_be_one_tick || return 1
		if [ "${WN_RANDOM_CLOCK-}" != coarse ]; then
			[ -z "${is_again-}" ] || return 1
			local is_again=true
			try "$runtime" "$t" "$@"
			return
		fi
	fi
	compare_report "$t"
}
