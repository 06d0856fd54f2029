#!/bin/sh
# SPDX-License-Identifier: MIT
#
# counters.sh [OPTION]... - what counters add to a recording (winnow record --counters), on task
# programs at sensible cut-offs: CPU time with counters by CPU time without, run by run in pairs.
#
#   --build DIR      where winnow was built (default build)
#   --rounds N       rounds that count (default 15)
#   --only WORD      only programs whose label has WORD in it
#   --csv FILE       keep the samples there
#   --threads N      threads of each program (default 2)
#   --help           this text
#
# Each program is recorded without counters ("plain"); with three that are read by the processor as hardware
# counters are, each by an instruction of 20 to 30 ns (rdtscp in the place of rdpmc: a machine that
# shows no hardware counters has this one); and with three of the kernel's own, which are a group
# that system calls read. All three run in turn; see measure.c. The bar that is printed is that of
# cost.sh; what holds for counters is in doc/performance.md.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build rounds=15 only='' csv='' threads=2
while [ $# -gt 0 ]; do
	case $1 in
	--build) build=$(cd "$2" && pwd) && shift ;;
	--rounds) rounds=$2 && shift ;;
	--only) only=$2 && shift ;;
	--csv) csv=$2 && shift ;;
	--threads) threads=$2 && shift ;;
	--help)
		sed -n 's/^# \{0,1\}//; 3,18p' "$0"
		exit 0
		;;
	*)
		echo "counters.sh: $1: unknown option; --help lists them" >&2
		exit 2
		;;
	esac
	shift
done

recorder=$build/libwinnow-record.so
if [ ! -e "$recorder" ]; then
	echo "counters.sh: $build: no winnow there; run make first" >&2
	exit 1
fi
work=$build/bench
scratch=$work/counters
rm -rf "$scratch"
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT

warn="-std=gnu17 -O2 -g -Wall -Wextra"
# The list of flags is a list of words.
# shellcheck disable=SC2086
for helper in measure costs; do
	cc $warn "$here/$helper.c" -o "$work/$helper" -lm
done
"$root/tools/build-programs.sh" "gcc -fopenmp" "$work/gcc" 2> /dev/null

env="OMP_NUM_THREADS=$threads"
while read -r name arguments; do
	echo "bots/$name 1 0 $env $work/gcc/$name $arguments"
done < "$here/programs/sizes.txt" > "$scratch/programs.all"
grep -e "$only" "$scratch/programs.all" > "$scratch/programs" || exit 0
base="LD_PRELOAD=$recorder WINNOW_OUT=%o"
{
	echo "plain $base"
	echo "processor $base WINNOW_COUNTERS=simulated:a=rdtscp,b=rdtscp,c=rdtscp"
	echo "system-call $base WINNOW_COUNTERS=perf:task_clock=1.1.0.0.ns,page_faults=1.2.0.0.,context_switches=1.3.0.0."
} > "$scratch/tools"

echo "machine   $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs," \
	"load $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo "programs  gcc $(gcc -dumpfullversion), libgomp, $threads threads; $rounds rounds, in turn"
samples=$scratch/samples.csv
"$work/measure" "$rounds" "$scratch" "$scratch/tools" "$scratch/programs" > "$samples"
[ -z "$csv" ] || cp "$samples" "$csv"
"$work/costs" < "$samples"
