#!/bin/bash
# SPDX-License-Identifier: MIT
#
# predict.sh [OPTION]... - how far predictions of `winnow predict` are from measurements (doc/prediction.md).
#
#   --output FILE    write the results there, a line for each program (default predict.tsv)
#   --build DIR      where winnow was built (default build)
#   --cc LIST        gcc, clang (default both)
#   --programs RE    only programs whose line below matches
#   --repeat N       runs of each kind (default 5)
#   --table FILE     only print the table of FILE
#
# Each runtime is calibrated before each program, which then runs plain and recorded on 1 and on 2 threads, in turn. From
# each 1-thread recording the time on 2 threads is predicted, and each recording is replayed; medians count. Beside it:
# max(work / 2, span), and a greedy schedule without costs. Where the system allows it, programs run before all other
# processes (chrt --rr; PRIORITY=N).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build output=predict.tsv compilers=gcc,clang repeat=5 pattern=. table=""
while [ $# -gt 0 ]; do
	case $1 in
	--output) output=$2 ;;
	--build) build=$2 ;;
	--cc) compilers=$2 ;;
	--programs) pattern=$2 ;;
	--repeat) repeat=$2 ;;
	--table) table=$2 ;;
	*)
		sed -n 's/^# \{0,1\}//; 4,17p' "$0" >&2
		exit 2
		;;
	esac
	shift 2
done

# Coarse and fine tasks, recursions, loops of each schedule.
programs="fib 37 10
fib 24 24
nqueens 13 3
nqueens 10 9
sort 4194304 16384 16384
sort 1048576 512 512
strassen 512 64
strassen 512 16
health 4 5 100 3
sparselu 24 32
sparselu 48 8
uts 1000 --work=4000
uts 2000 --work=100
fft 524288 4096
fft 65536 64
alignment 40 200
alignment --for 40 200
floorplan 10 3
loops dynamic,4 20000 linear --work=2000
loops dynamic,1 200000 uniform --work=20
loops guided 20000 linear --work=2000
loops static 20000 linear --work=2000
loops static,16 20000 random --work=2000 --loops=4
taskloop 4000 --work=4000
taskloop 4000 --work=4000 --grainsize=10
taskloop 20000 --work=100 --grainsize=4
taskbench"

# Medians, errors by percentiles, and the baselines.
print_table() {
	awk -F'\t' '
		function abs(x) { return x < 0 ? -x : x }
		function sorted(values, n,   i, k, v) {
			for (i = 2; i <= n; i++) {
				v = values[i]
				for (k = i; k > 1 && values[k - 1] > v; k--) values[k] = values[k - 1]
				values[k] = v
			}
		}
		function quantile(values, n, q) { return n ? values[int(1 + q * (n - 1) + 0.5)] : 0 }
		function line(name, values, n) {
			sorted(values, n)
			printf "%-28s %3d %8.1f %8.1f %8.1f %8.1f\n", name, n, quantile(values, n, 0.5), quantile(values, n, 0.75),
				quantile(values, n, 0.9), quantile(values, n, 1)
		}
		BEGIN {
			printf "%-44s %9s %9s %9s %7s %7s %7s %8s %8s  %s\n", "program", "T1 ms", "T2 ms", "pred ms", "error%", "self1%",
				"self2%", "bound%", "greedy%", "limit"
		}
		/^#/ { next }
		$3 == "refused" { printf "%-44s refused: %s\n", $1 " " $2, $4; n_refused++; next }
		{
			error = 100 * ($6 / $4 - 1); nearest = error
			if ($14 + 0) {
				fast = 100 * ($14 / $4 - 1); slow = 100 * ($15 / $4 - 1)
				nearest = abs(fast) < abs(slow) ? fast : slow
				n_races++
			}
			nearests[++n_nearest] = abs(nearest); is_in = $12 <= $4 && $4 <= $13; n_in += is_in; bound = 100 * ($9 / $4 - 1); greedy = 100 * ($10 / $4 - 1)
			printf "%-44s %9.2f %9.2f %9.2f %+7.1f %7s %7s %+8.1f %+8.1f  %s%s%s\n", $1 " " $2, $3 / 1e6, $4 / 1e6, $6 / 1e6, error,
				$7 == "-" ? "-" : sprintf("%+.1f", $7), $8 == "-" ? "-" : sprintf("%+.1f", $8), bound, greedy, $11,
				$14 + 0 ? sprintf(", race: %+.1f or %+.1f", fast, slow) : "", is_in ? "" : ", outside the range"
			errors[++n] = abs(error); bounds[n] = abs(bound); greedies[n] = abs(greedy)
			for (i = 7; i <= 8; i++) if ($i != "-") self[++n_self] = abs($i)
		}
		END {
			printf "\n%-28s %3s %8s %8s %8s %8s\n", "absolute error in %", "n", "median", "75th", "90th", "most"
			line("2 threads from 1", errors, n); line("likewise, nearest of a race", nearests, n_nearest); line("self-replay", self, n_self)
			line("max(work/2, span)", bounds, n); line("greedy, no costs", greedies, n)
			printf "%d of %d in the range, %d races\n", n_in, n, n_races
			if (n_refused) print n_refused " refused"
		}' "$1"
}
if [ "$table" ]; then
	print_table "$table"
	exit
fi

winnow=$build/winnow
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
first=""
if chrt --rr "${PRIORITY:-1}" true 2>/dev/null; then first="chrt --rr ${PRIORITY:-1}"; fi

median() { sort -g "$@" 2>/dev/null | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "-" }'; }
key() { sed -n "s/^ *\"$2\": \(.*[^,]\),*$/\1/p" "$1" | head -1; }

# Seconds that the program measures itself, in nanoseconds.
plain() { # threads program args
	local threads=$1
	shift
	OMP_NUM_THREADS=$threads $first "$@" --time | sed -n 's/.*time \([0-9.]*\) s.*/\1/p; s/^time \([0-9.]*\).*/\1/p' |
		awk '{ printf "%.0f\n", $1 * 1e9 }'
}

record() { # file threads program args
	local file=$1 threads=$2
	shift 2
	OMP_NUM_THREADS=$threads $first "$winnow" record -o "$file" -- "$@" >/dev/null 2>&1
}

measure() { # name compiler args
	local name=$1 cc=$2 program=$work/$1-$2 i t
	shift 2
	# now, since the distance of a virtual machine's CPUs can change
	$first "$winnow" calibrate --rounds 7 --runtime "lib$([ "$cc" = gcc ] && echo g)omp" >/dev/null 2>&1 || true
	for i in $(seq "$repeat"); do
		for t in 1 2; do
			plain $t "$program" "$@" >>"$work/plain$t"
			record "$work/r$t-$i.winnow" $t "$program" "$@"
		done
	done
	local label="$name $*" outside
	if ! "$winnow" predict "$work/r1-1.winnow" --threads 2 --json >"$work/one.json" 2>"$work/why"; then
		[ "$(key "$work/one.json" withheld)" ] && key "$work/one.json" withheld >"$work/why"
		printf '%s\t%s\trefused\t%s\n' "$cc" "$label" "$(sed 's/.*prediction: //' "$work/why")" >>"$output"
		rm -f "$work"/plain* "$work"/r?-*.winnow
		return
	fi
	for i in $(seq "$repeat"); do
		for t in 1 2; do
			"$winnow" predict "$work/r$t-$i.winnow" --threads 1,2 --json >"$work/$t.json" 2>/dev/null || true
			[ -s "$work/$t.json" ] && awk "BEGIN { print 100 * $(key "$work/$t.json" replay_error) }" >>"$work/self$t"
		done
		# what the program does before and after its own clock
		outside=$("$winnow" report --json "$work/r1-$i.winnow" | awk '/"serial_ns":/ && !n++ { gsub(/[^0-9]/, ""); print; exit }')
		sed -n '/"threads": 2/,$p' "$work/1.json" >"$work/2threads"
		key "$work/2threads" ns >>"$work/ns"
		key "$work/2threads" bound_work_ns >>"$work/bound_work"
		key "$work/2threads" bound_span_ns | sed 's/null/0/' >>"$work/bound_span"
		key "$work/2threads" greedy_ns >>"$work/greedy"
		for field in low_ns high_ns fast_ns slow_ns; do key "$work/2threads" $field | sed 's/null/0/' >>"$work/$field"; done
		key "$work/2threads" limit | tr -d '"' >"$work/limit"
		echo "${outside:-0}" >>"$work/serial"
	done
	local bound_work bound_span bound serial
	serial=$(median "$work/serial")
	bound_work=$(median "$work/bound_work") bound_span=$(median "$work/bound_span")
	bound=$((bound_work > bound_span ? bound_work : bound_span))
	awk -v OFS='\t' -v cc="$cc" -v label="$label" -v t1="$(median "$work/plain1")" -v t2="$(median "$work/plain2")" \
		-v serial="$serial" -v ns="$(median "$work/ns")" -v s1="$(median "$work/self1")" -v s2="$(median "$work/self2")" \
		-v bound="$bound" -v greedy="$(median "$work/greedy")" -v limit="$(cat "$work/limit")" \
		-v low="$(median "$work/low_ns")" -v high="$(median "$work/high_ns")" -v fast="$(median "$work/fast_ns")" \
		-v slow="$(median "$work/slow_ns")" 'BEGIN {
			print cc, label, t1, t2, serial, ns - serial, s1, s2, bound - serial, greedy - serial, limit, low - serial, high - serial,
				fast ? fast - serial : 0, slow ? slow - serial : 0 }' >>"$output"
	rm -f "$work"/plain* "$work"/r?-*.winnow "$work"/self* "$work"/ns "$work"/bound* "$work"/greedy "$work"/serial "$work"/*_ns
}

echo "# compiler, program, plain ns on 1 and 2 threads, serial ns, predicted ns, errors of replays in %, bound ns, greedy ns, limit, range, outcomes of a race" >"$output"
IFS=, read -ra list <<<"$compilers"
while read -r name args; do
	[[ "$name $args" =~ $pattern ]] || continue
	for cc in "${list[@]}"; do
		compiler=gcc-12
		[ "$cc" = clang ] && compiler=clang-14
		command -v "$compiler" >/dev/null || continue
		[ -x "$work/$name-$cc" ] || $compiler -O2 -g -fopenmp -o "$work/$name-$cc" "$here/programs/$name.c" -lm
		# shellcheck disable=SC2086
		measure "$name" "$cc" $args </dev/null
	done
done <<<"$programs"
print_table "$output"
