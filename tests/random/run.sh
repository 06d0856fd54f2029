#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD N FIRST_SEED [--all] - records N random programs, from that seed on, and holds each
# recording against what is known of the program. TAP: one line for each batch of programs, compiler
# and runtime, over 1, 2, 4 and 8 threads.
#
# A batch is one executable. Each is built by one compiler for one runtime, in turn; with --all by
# and for each. What fails is made small (reduce.sh) and kept in BUILD/tests/random/failures.
# WN_RANDOM_JOBS batches at a time (as many as there are CPUs); WN_RANDOM_KINDS narrows the kinds.
set -u

build=$(realpath "$1")
n_programs=$2
first_seed=$3
is_all=${4-}
tools=${WN_RANDOM_TOOLS:-$build/tests/random}
runtimes=${WN_RANDOM_RUNTIMES:-$build/runtimes}
failures=$build/tests/random/failures
jobs=${WN_RANDOM_JOBS:-$(nproc)}
batch=6 # smaller where not every kind would have one, larger with --all
kinds=
root=$(mktemp -d "${TMPDIR:-/tmp}/winnow-random.XXXXXX")
trap 'rm -rf "$root"' EXIT
work=$root
threads='1 2 4 8'
# shellcheck source=tests/random/try.bash
. "$(dirname "$0")/try.bash"

oldest=$oldest_clang:$oldest_libomp second=$(cut -d ' ' -f 2 <<< "$two_clangs"):$newest_libomp
between=$oldest_clang:$(cut -d ' ' -f 2 <<< "$libomps")
all_kinds="gcc:0 $oldest gfortran:0 $second opari-gcc:0 g++:0 $newest_clang:$newest_libomp opari-gfortran:0
	${second/clang/clang++} $between opari-g++:0 $oldest_clang:$newest_libomp opari-$second
	grain-gcc:0 grain-$oldest grain-gfortran:0 grain-$second grain-g++:0 grain-$between"
for kind in ${WN_RANDOM_KINDS:-$all_kinds}; do
	runtime=${kind#*:}
	compiler=${kind%:*}
	command -v "$(command_of "$compiler")" > /dev/null || continue
	[ "${compiler#opari-}" = "$compiler" ] || command -v opari2 > /dev/null || continue
	[ "$runtime" = 0 ] || [ -e "$runtimes/$runtime/libomp.so.5" ] || continue
	kinds="$kinds $kind"
done
if [ -z "$kinds" ]; then
	echo '1..0 # SKIP no compiler, or no runtimes: tools/fetch-runtimes.sh'
	exit 0
fi

read -r -a turn <<< "$kinds"
if [ "$is_all" = --all ]; then
	batch=12
elif [ $((n_programs / batch)) -lt ${#turn[@]} ]; then
	batch=$((n_programs < ${#turn[@]} ? 1 : n_programs / ${#turn[@]}))
fi

# One batch on one compiler and runtime; the verdict goes to a file.
run_batch() { # number of the job, kind, first seed, number of programs
	local compiler=${2%:*} runtime=${2#*:} t status seed found
	local name
	# the shell's own numbers have a sign
	name="seeds $(printf %u "$3") to $(printf %u $(($3 + $4 - 1))): $compiler, runtime $runtime"
	work=$root/$1
	mkdir -p "$work"
	if ! make_batch "$(printf %u "$3")" "$4" "$compiler" "$runtime" > "$work/log" 2>&1; then
		echo "not ok $name: does not build: $(grep -m 1 -i error "$work/log")"
		return
	fi
	for t in $threads; do
		try "$runtime" "$t"
		status=$?
		[ $status -ne 2 ] || echo "own $why"
		[ $status -eq 1 ] || continue
		echo "# threads $t: $why"
		# alone, each with its own truth
		for ((seed = $3; seed < $3 + $4; seed++)); do
			found=$("$here/reduce.sh" "$build" "$(printf %u "$seed")" "$compiler" "$runtime" "$t" "$failures") || continue
			echo "# $found"
		done
		echo "not ok $name, $t threads: $why"
		return
	done
	echo "ok $name"
}

n=0 n_running=0
start() { # kind, first seed, number of programs
	n=$((n + 1))
	if [ "$n_running" -ge "$jobs" ]; then
		wait -n
		n_running=$((n_running - 1))
	fi
	local number
	number=$(printf '%06d' "$n")
	(
		run_batch "$number" "$@" > "$root/$number.said"
		rm -rf "${root:?}/$number"
	) &
	n_running=$((n_running + 1))
}

for ((at = 0; at < n_programs; at += batch)); do
	size=$((n_programs - at < batch ? n_programs - at : batch))
	if [ "$is_all" = --all ]; then
		for kind in $kinds; do
			start "$kind" $((first_seed + at)) $size
		done
	else
		start "${turn[at / batch % ${#turn[@]}]}" $((first_seed + at)) $size
	fi
done
wait

n_failed=0 i=0
for said in "$root"/*.said; do
	i=$((i + 1))
	grep '^#' "$said"
	verdict=$(grep -E '^(ok|not ok) ' "$said" || echo "not ok $said died")
	case $verdict in not*) n_failed=$((n_failed + 1)) ;; esac
	case $verdict in
	not*) echo "not ok $i - ${verdict#not ok }" ;;
	*) echo "ok $i - ${verdict#ok }" ;;
	esac
done
n_own=$(cat "$root"/*.said | grep -c '^own')
read -r -a counts <<< "$threads"
n_runs=$((n * ${#counts[@]}))
echo "# programs $n_programs, kinds ${#turn[@]}, threads $threads"
echo "# batches $n, failed $n_failed; of $n_runs runs, wrong without the recorder: $n_own"
cat "$root"/*.said | sed -n 's/^own \(.*\)/# \1/p' | sort | uniq -c | sort -rn | head -n 5 | sed 's/^ *\([0-9]*\) # /#   \1: /'
n=$((n + 1))
if [ $((n_own * 8)) -gt $n_runs ]; then # too many to be the runtimes' own faults
	n_failed=$((n_failed + 1))
	printf 'not '
fi
echo "ok $n - programs do what they must by themselves"
echo "1..$n"
[ $n_failed -eq 0 ]
