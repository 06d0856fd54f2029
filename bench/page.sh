#!/bin/sh
# SPDX-License-Identifier: MIT
#
# page.sh [OPTION]... - what the page costs in Chromium, without a GPU: opening, memory, frames, judging
# again, sizes; on recordings of programs made for it, of 10^6 and 10^7 grains. Prints a table.
#
#   --quick          10^6 grains only
#   --build DIR      where winnow was built (default build)
#   --keep           leave the recordings in DIR/bench-page, and use those that are there
#   --huge           10^8 grains, too: 16 GB of memory, 2 GB of files and half an hour
#   --help           this text
#
# Needs what tools/setup.sh test brings. Walls are those of the machine as it is; CPU time is said beside.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build names='1e6 1e7' keep=no
while [ $# -gt 0 ]; do
	case $1 in
	--quick) names=1e6 ;;
	--huge) names='1e6 1e7 1e8' ;;
	--build) build=$(cd "$2" && pwd) && shift ;;
	--keep) keep=yes ;;
	--help)
		sed -n 's/^# \{0,1\}//; 3,13p' "$0"
		exit 0
		;;
	*)
		echo "page.sh: $1: unknown option; --help lists them" >&2
		exit 2
		;;
	esac
	shift
done
winnow=$build/winnow
if [ ! -x "$winnow" ]; then
	echo "page.sh: $build: no winnow there; run make first" >&2
	exit 1
fi
"$root/tools/build-page.sh" --packages
work=$build/bench-page
mkdir -p "$work"
cd "$work"
[ "$keep" = yes ] || trap 'rm -rf "$work"' EXIT

# Binary trees of tasks, 126 each, side by side: as many groups as grains. Of 10^8 they would need 30 GB
# of memory to be analysed: there all tasks are siblings.
program_of() {
	case $1 in
	1e6) echo branch 7937 ;;
	1e7) echo branch 79366 ;;
	1e8) echo master 50000000 ;;
	esac
}

gcc -O2 -D_GNU_SOURCE -I"$root" -I"$root/src" -I"$root/include" -o grains "$here/grains.c" "$root/tests/view/grains_file.c" "$build/libwinnow.a" \
	-ljansson -ldeflate -lexpat -ldw -lelf -lz -lm -ldl -lpthread
gcc -O2 -g -fopenmp -o taskbench "$root/bench/programs/taskbench.c"
for name in $names; do
	[ -s "$name.cost" ] && continue
	echo "page.sh: recording $name grains" >&2
	rm -f "$name".winnow*
	# shellcheck disable=SC2046 # words
	OMP_NUM_THREADS=2 "$winnow" record -o "$name.winnow" ./taskbench $(program_of "$name") > out.txt 2> err.txt || {
		cat err.txt >&2
		exit 1
	}
	"$winnow" view --budget none -o "$name.html" "$name.winnow" > out.txt
	"$winnow" view -o "$name.usual.html" "$name.winnow" > out.txt
	"$winnow" view --budget none -o "$name.grains" "$name.winnow" > out.txt
	./grains "$name.winnow" "$name.grains" > "$name.cost"
done
# shellcheck disable=SC2086 # words
node "$root/viewer/test/bars.mjs" "$winnow" "$work" $names
