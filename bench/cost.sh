#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cost.sh [OPTION]... - what the provider of OMPT and its grain extension costs (doc/ompt-grain.md),
# against the bars of doc/performance.md, with the same programs and steps as Langdal et al. 2017:
# schedbench, taskbench, and task programs at sensible cut-offs.
#
#   --build DIR      where winnow was built (default build)
#   --rounds N       rounds that count (default 21)
#   --fine           also loops and tasks with a hundredth of the work
#   --only WORD      only programs whose label has WORD in it: sched/, task/, bots/
#   --figures DIR    also draw the three figures there
#   --csv FILE       keep the samples there
#   --threads N      threads of each program (default 2)
#   --help           this text
#
# Each program runs plainly; with the provider preloaded and no tool; with a tool that sets no
# callback; with one whose callbacks are empty. Loops are compiled with the plug-in, except in the
# plain run, so that static chunks are seen. All four run in turn; see measure.c.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build rounds=21 only='' csv='' figures='' threads=2 fine=no
values='build/ rounds only figures csv threads' switches='fine:fine=yes'
# shellcheck source=bench/tools/options.sh
. "$here/tools/options.sh"

provider=$build/libwinnow-ompt.so
winnow=$build/winnow
if [ ! -e "$provider" ] || [ ! -x "$winnow" ]; then
	echo "cost.sh: $build: no winnow there; run make first" >&2
	exit 1
fi
omp_tools=$(find /usr/lib/llvm-* /usr/lib/clang /usr/include -name omp-tools.h 2> /dev/null | head -1)
if [ -z "$omp_tools" ]; then
	echo "cost.sh: no omp-tools.h (it comes with clang's libomp-dev): nothing measured" >&2
	exit 1
fi
omp_tools=${omp_tools%/*}
work=$build/bench
scratch=$work/cost
rm -rf "$scratch"
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT

warn="-std=gnu17 -O2 -g -Wall -Wextra"
# The lists of flags are lists of words.
# shellcheck disable=SC2086
build_helpers() {
	cc $warn "$here/measure.c" -o "$work/measure"
	cc $warn "$here/costs.c" -o "$work/costs" -lm
	for kind in NULL EMPTY; do
		name=$(echo $kind | tr '[:upper:]' '[:lower:]')
		cc $warn -D_GNU_SOURCE -fPIC -shared -DKIND=KIND_$kind -DWITH_GRAINS -I "$root/include" \
			-idirafter "$omp_tools" "$here/tools/ompt_tool.c" -o "$scratch/$name.so"
	done
}
build_helpers
"$root/tools/build-programs.sh" "gcc -fopenmp" "$work/gcc" 2> /dev/null
mkdir -p "$scratch/plugin"
"$winnow" cc -- gcc -std=c17 -O2 -g -fopenmp "$here/programs/loops.c" -o "$scratch/plugin/loops" -lm

# Hash rounds that take a thread NS nanoseconds: the fastest of some tries.
rounds_for() {
	fastest=$(for _ in 1 2 3 4 5 6 7; do
		OMP_NUM_THREADS=1 "$work/gcc/loops" static 100 --work=20000 --time
	done | sed -n 's/^time \(.*\) s/\1/p' | sort -n | head -1)
	awk -v s="$fastest" -v ns="$1" 'BEGIN { printf "%d\n", ns * 2e6 / (s * 1e9) }'
}

# schedbench: 128 iterations a thread, again and again; for each schedule, chunks of 1 to 128.
schedules() {
	echo static
	for kind in static dynamic guided; do
		for n in 1 2 4 8 16 32 64 128; do
			echo "$kind,$n"
		done
	done
}

plan() {
	long=$(rounds_for 15000)
	short=$(rounds_for 100)
	env="OMP_NUM_THREADS=$threads"
	schedules | while read -r schedule; do
		label=$(echo "$schedule" | tr , :)
		echo "sched/$label 0 1 $env $work/gcc/loops $schedule $((128 * threads))" \
			"--loops=60 --work=$long"
		[ $fine = no ] || echo "fine/$label 0 1 $env $work/gcc/loops $schedule" \
			"$((1024 * threads)) --loops=1000 --work=$short"
	done
	for kernel in parallel master busy conditional wait barrier nested nested-master branch leaf; do
		case $kernel in
		branch) n=160 m=4000 ;;
		leaf) n=320 m=8000 ;;
		*) n=12000 m=300000 ;;
		esac
		echo "task/$kernel 1 0 $env $work/gcc/taskbench $kernel $n $long"
		[ $fine = no ] || echo "tiny/$kernel 1 0 $env $work/gcc/taskbench $kernel $m $short"
	done
	while read -r name arguments; do
		echo "bots/$name 1 0 $env $work/gcc/$name $arguments"
	done < "$here/programs/sizes.txt"
}

{
	echo "plain WN_BENCH=1"
	echo "no-tool LD_PRELOAD=$provider @PLUGIN"
	echo "no-callbacks LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$scratch/null.so @PLUGIN"
	echo "empty-callbacks LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$scratch/empty.so @PLUGIN"
} > "$scratch/tools.all"
sed "s,@PLUGIN,@$scratch/plugin/loops," "$scratch/tools.all" > "$scratch/tools.loops"
sed 's, @PLUGIN,,' "$scratch/tools.all" > "$scratch/tools"

echo "machine   $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs," \
	"load $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo "programs  gcc $(gcc -dumpfullversion), libgomp, $threads threads; $rounds rounds, in turn"
plan | grep -e "$only" > "$scratch/programs.all" || exit 0
samples=$scratch/samples.csv
: > "$samples"
for group in sched fine task tiny bots; do
	grep "^$group/" "$scratch/programs.all" > "$scratch/programs" || continue
	case $group in
	sched | fine) tools=$scratch/tools.loops ;;
	*) tools=$scratch/tools ;;
	esac
	"$work/measure" "$rounds" "$scratch" "$tools" "$scratch/programs" >> "$samples"
done
[ -z "$csv" ] || cp "$samples" "$csv"
"$work/costs" < "$samples"
[ -n "$figures" ] || exit 0
mkdir -p "$figures"
draw() { # prefix, bar in percent, title
	grep -q "^$1/" "$samples" || return 0
	"$work/costs" --svg "$1/" "$2" "$3" < "$samples" > "$figures/cost-$1.svg"
}
draw bots 2 "Task programs at sensible cut-offs"
draw sched 3 "schedbench: 128 iterations of 15 us a thread"
draw fine 25 "schedbench: 1024 iterations of 0.1 us a thread"
draw task 2.7 "taskbench: tasks of 15 us"
draw tiny 2.7 "taskbench: tasks of 0.1 us"
