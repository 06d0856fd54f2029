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
#   --system-call    three counters of the kernel's as well
#   --help           this text
#
# Two figures of the same, for each program:
#
# measured  Each program is recorded without counters ("plain") and with three that are read by the processor
#           as hardware counters are, by way of a page like the kernel's and an instruction of 20 to 40 ns
#           (rdtscp in the place of rdpmc: a machine that shows no hardware counters has this one), in turn (measure.c).
#           Of each round the CPU time, user and system, of one by that of the other; then the median
#           over the rounds, and the quartiles. On a noisy machine these are far apart.
# model     What reading the same three and writing them down takes at each event, at its fastest, in a loop
#           of nothing else (rec_event.c), times how often this program's recording reads counters, by the CPU time of
#           its plain recording, at its fastest. What other programs do on the machine hardly touches it.
#
# The arguments are those of programs/sizes.txt. By winnow characterize --cutoffs (gcc, two threads) sort
# and uts are inside the range that is recommended, and the others at its coarse end or beyond it, where
# threads idle: in none does a task cost as much as it does. The tasks of health are the finest. Seven
# recordings of each of its depths 1 to 5 recommend by medians from 2 to 4.8, in five of the seven (the
# ends lie within 2.0 to 2.7 and 4.8 to 4.9), in the other two from 1.1 or 1.4 to 2.5; by means, which
# other programs on the machine lengthen, from 3.3 to 5 or nothing. Without recording depths 1 to 4 take
# the same time (medians of 25 runs in turn, by depth 3: 0.99, 0.96, 1, 1.09), and 5 takes a half more.
# So both are measured: 3, which is in the middle of the range, where a task does some ten times what it costs
# and a step has 84 of them; and 2, which is what the program takes unless it is told otherwise, and [P1]
# for the original, with 20.
#
# The bar is the model's; where the measured quartiles lie on its other side, it is "holds?" or "fails?".
# With --system-call also three of the kernel's own, which are a group that two system calls read at
# each event: these have no bar.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build rounds=15 only='' csv='' threads=2 system_call=0
values='build/ rounds only csv threads' switches='system-call:system_call=1'
# shellcheck source=bench/tools/options.sh
. "$here/tools/options.sh"

recorder=$build/libwinnow-record.so
if [ ! -e "$recorder" ]; then
	echo "counters.sh: $build: no winnow there; run make first" >&2
	exit 1
fi
work=$build/bench
scratch=$work/counters
simulated=$work/libsimulated.so
rm -rf "$scratch"
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT

warn="-std=gnu17 -O2 -g -Wall -Wextra"
# The list of flags is a list of words.
# shellcheck disable=SC2086
cc $warn "$here/measure.c" -o "$work/measure"
# shellcheck disable=SC2086
cc $warn -D_GNU_SOURCE -I "$root/src" -I "$root/include" "$here/rec_event.c" "$root"/src/record/[a-z]*.c \
	"$root"/src/record/counters/[a-z]*.c "$root"/src/record/mark/[mn]*.c "$root/tests/counters/simulated.c" \
	-o "$work/rec_event"
# as the recorder is compiled
# shellcheck disable=SC2086
cc $warn -shared -fPIC -fvisibility=hidden -fno-semantic-interposition -fno-stack-protector -fomit-frame-pointer \
	-I "$root/src" -I "$root/include" "$root/tests/counters/simulated.c" "$root"/src/record/counters/miss.c \
	"$root"/src/record/counters/counter_page.c -o "$simulated"
"$root/tools/build-programs.sh" "gcc -fopenmp" "$work/gcc" 2> /dev/null

env="OMP_NUM_THREADS=$threads"
while read -r name arguments; do
	echo "bots/$name 1 0 $env $work/gcc/$name $arguments"
	[ "$name" != health ] || echo "bots/health-2 1 0 $env $work/gcc/$name ${arguments% *} 2"
done < "$here/programs/sizes.txt" > "$scratch/programs.all"
grep -e "$only" "$scratch/programs.all" > "$scratch/programs" || exit 0
base="LD_PRELOAD=$recorder WINNOW_OUT=%o"
processor="simulated:a=rdtscp,b=rdtscp,c=rdtscp"
{
	echo "plain $base"
	echo "processor LD_PRELOAD=$recorder:$simulated WINNOW_OUT=%o WINNOW_COUNTERS=$processor"
	[ $system_call = 0 ] ||
		echo "system-call $base WINNOW_COUNTERS=perf:task_clock=1.1.0.0.ns,page_faults=1.2.0.0.,context_switches=1.3.0.0."
} > "$scratch/tools"

# events COUNTERS FILE: ns of one event with these, of three runs
events() {
	for _ in 1 2 3; do
		rm -f "$scratch/event.winnow"
		WINNOW_COUNTERS=$1 WINNOW_OUT=$scratch/event.winnow "$work/rec_event" | sed -n 's/^plain *//p'
	done >> "$scratch/$2"
}

# Before the programs and after them: the machine may be slower at one of these times.
all_events() {
	events "$processor" with.ns
	events "" without.ns
}

fastest() { # FILE
	sort -g "$scratch/$1" | sed -n '1s/ .*//p'
}

echo "machine   $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs," \
	"load $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo "programs  gcc $(gcc -dumpfullversion), libgomp, $threads threads; $rounds rounds, in turn"
all_events
samples=$scratch/samples.csv
"$work/measure" "$rounds" "$scratch" "$scratch/tools" "$scratch/programs" > "$samples"
all_events
with=$(fastest with.ns) without=$(fastest without.ns)
echo "event     $without ns without counters, $with ns with three that the processor reads"
[ -z "$csv" ] || cp "$samples" "$csv"

# how often counters are read: one counts just that
while read -r label _ _ command; do
	# shellcheck disable=SC2086 # settings and words
	env LD_PRELOAD="$recorder:$simulated" WINNOW_OUT="$scratch/reads.winnow" WINNOW_COUNTERS=simulated:reads=reads \
		$command > "$scratch/reads.out"
	echo "$label,$("$build/winnow" report --json "$scratch/reads.winnow" |
		sed -n 's/.*"total": *\([0-9][0-9]*\).*/\1/p' | head -1)"
	rm -f "$scratch"/reads.winnow*
done < "$scratch/programs" > "$scratch/reads.csv"
awk -f "$here/counters.awk" -v bar=2.5 -v with="$with" -v without="$without" "$scratch/reads.csv" "$samples"
