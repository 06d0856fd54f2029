#!/bin/bash
# SPDX-License-Identifier: MIT
#
# archer.sh BUILD - the tool that libomp loads by itself: it explains OpenMP's order to ThreadSanitizer,
# recorded or not, and says nothing elsewhere. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

command -v "$oldest_clang" > /dev/null || skip_all "no clang"
[ -e "$runtimes/$newest_libomp/libomp.so.5" ] || skip_all "no runtimes: tools/fetch-runtimes.sh $runtimes"
archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2> /dev/null | head -n 1)
[ -n "$archer" ] || skip_all "no libarcher.so"

cd "$work" || exit 1
export OMP_NUM_THREADS=4
with_libomp "$here/programs/constructs.c" -o constructs || exit 1
with_libomp -fsanitize=thread "$here/programs/race.c" -o race || skip_all "clang has no ThreadSanitizer"
mkdir archer
ln -s "$archer" archer/libarcher.so

# What the two runs said on stderr before anything else, beside our own lines: for a reproach.
talk() {
	echo "recorded: $(said "$work/talk"), natively: $(said "$1")"
}

said() { # file
	local line
	line=$(grep -v '^winnow record: ' "$1" | grep -m 1 . | cut -c 1-200)
	[ -n "$line" ] && echo "'$line'" || echo "nothing"
}

# The races in the program's own code that are reported, natively and recorded.
races() { # words
	timeout -k 5 100 ./race "$@" > plain.stdout 2> plain.talk
	rm -f t
	timeout -k 5 100 "$build/winnow" record -o t ./race "$@" > recorded.stdout 2> "$work/talk"
	cmp -s plain.stdout recorded.stdout || why "output differs; $(talk plain.talk)"
	plain=$(grep -c 'SUMMARY: .*race\.c:' plain.talk)
	recorded=$(grep -c 'SUMMARY: .*race\.c:' "$work/talk")
	read_trace "$work/t"
	holds state closed graph sound dropped 0 regions 1
}

export TSAN_OPTIONS=ignore_noninstrumented_modules=1
for version in $libomps; do
	[ -e "$runtimes/$version/libomp.so.5" ] || continue
	export LD_LIBRARY_PATH=$runtimes/$version:$work/archer
	races
	[ "$plain $recorded" = "0 0" ] || why "$recorded races where there are none, natively $plain; $(talk plain.talk)"
	holds tasks 400 completed 400
	verdict "ThreadSanitizer reports no race that is none: libomp $version"
	races really
	[ "$plain" -gt 0 ] || why "none natively: this proves nothing; $(talk plain.talk)"
	[ "$recorded" -gt 0 ] || why "$recorded races found, natively $plain; $(talk plain.talk)"
	verdict "and one that is one: libomp $version"
	ARCHER_OPTIONS=enable=0 races
	[ "$plain" -gt 0 ] || why "none natively: this proves nothing; $(talk plain.talk)"
	[ "$recorded" -gt 0 ] || why "$recorded races, natively $plain; $(talk plain.talk)"
	verdict "without the tool it reports some: libomp $version"

	ARCHER_OPTIONS=verbose=1 both ./constructs
	[ "$(cat "$work/plain" "$work/recorded" | grep -c 'stopping operation')" -eq 2 ] ||
		why "it was not asked; $(talk "$work/plain.talk")"
	verdict "it is asked in other programs, too: libomp $version"
	both ./constructs
	[ "$(grep -vc '^winnow record: ' "$work/talk")" -eq 0 ] || why "there is talk; $(talk "$work/plain.talk")"
	verdict "and quiet: libomp $version"
done
done_testing
