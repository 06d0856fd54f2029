#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools.sh BUILD - tools that were not written for this provider, and every way in which a tool is found,
# on programs of gcc and libgomp. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

cd "$work" || exit 1
programs=$here/../conformance/programs
living=$here/../living/programs
T=4
export OMP_NUM_THREADS=$T
watch=$work/libwatch.so
gcc -O1 -g -fopenmp -DNO_CONTROL_TOOL "$living/constructs.c" -o constructs -ldl &&
	cp "$(compiled conformance taskwait.c gcc)" tasks &&
	gcc -O1 -g -fopenmp -rdynamic "-I$here/../../include" -idirafter "$libomp_headers" "$programs/taskwait.c" \
		"$here/programs/watch.c" -o linked || exit 1

# finds WHAT PRELOADED LISTED PROGRAM: the tool is asked, and sees four tasks
finds() {
	rm -f watch.txt
	env LD_PRELOAD="$2" OMP_TOOL_LIBRARIES="$3" WATCH_OUT=watch.txt timeout -k 5 60 "$4" > out.txt 2>&1 ||
		why "it fails"
	[ "$(cat out.txt)" = right ] || why "it prints $(head -n 1 out.txt)"
	[ "$(value tasks)" = 4 ] && [ "$(value broken)" = 0 ] || why "$(value tasks) tasks, broken $(value broken)"
	grep -q '^finalized' watch.txt || why "no finalization"
	verdict "$1"
}

# One list of entry points for the recorder and the provider.
entry_points() {
	nm -D --defined-only "$1" | awk '$3 ~ /^(GOMP|omp)_/ { print $3 }' | sort
}
[ "$(entry_points "$provider" | grep -c '^GOMP_')" -gt 100 ] || why "$(entry_points "$provider" | wc -l) entry points"
diff <(entry_points "$provider") <(entry_points "$build/libwinnow-record.so") >> "$work/why"
verdict "it stands before what the recorder stands before"

finds "a tool of OMP_TOOL_LIBRARIES" "$provider" "$watch" ./tasks
finds "the first that there is" "$provider" "/nowhere/missing.so:$work/tasks:$watch" ./tasks
finds "a tool preloaded after the provider" "$provider:$watch" "" ./tasks
finds "a tool preloaded before it" "$watch:$provider" "" ./tasks
finds "a tool linked into the program" "$provider" "" ./linked

# Nobody is asked, or all decline.
declined() { # WHAT VARIABLE=VALUE...
	rm -f watch.txt
	env "${@:2}" LD_PRELOAD="$provider" timeout -k 5 60 ./tasks > out.txt 2>&1 || why "it fails"
	[ "$(cat out.txt)" = right ] || why "it prints $(head -n 1 out.txt)"
	! grep -q '^event' watch.txt 2> /dev/null || why "there are events"
	verdict "$1"
}
declined "no tool"
declined "OMP_TOOL=disabled" OMP_TOOL=disabled OMP_TOOL_LIBRARIES="$watch" WATCH_OUT=watch.txt
[ ! -e watch.txt ] || why "it was asked"
declined "a tool that declines" OMP_TOOL_LIBRARIES="$watch"
declined "one that declines when it is initialized" OMP_TOOL_LIBRARIES="$watch" WATCH_OUT=watch.txt WATCH_DECLINES=1
grep -q '^initialized' watch.txt || why "it was not"
verdict "and it was initialized"

# What the watcher cannot miss: without one kind of event, others break its rules.
for event in 1 3 5 6 7 20 26; do
	rm -f watch.txt
	LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$watch WATCH_OUT=watch.txt WATCH_SKIP=$event ./constructs > out.txt 2>&1
	[ "$(value broken)" -gt 0 ] || why "nothing is wrong"
	verdict "the rules notice the lack of event $event"
done

# Loading the tool and a library's constructor that uses OpenMP want the linker's lock at the same time.
late=$here/programs/late.c
tool late.c liblatetool.so && gcc -O1 -fopenmp -fPIC -shared -DLIBRARY "-I$here/../../include" -idirafter \
	"$libomp_headers" "$late" -o liblate.so && gcc -O1 -g -fopenmp "-I$here/../../include" -idirafter "$libomp_headers" "$late" \
	-o late -ldl -pthread || why "it does not compile"
late() { # SENTENCE EXPECTED MS MS VARIABLE=VALUE...
	env "${@:5}" LD_PRELOAD="$provider" OMP_TOOL_LIBRARIES="$work/liblatetool.so" timeout -k 5 60 ./late ./liblate.so \
		"$3" "$4" > out.txt 2> talk.txt || why "it fails: $?"
	[ "$(cat out.txt)" = right ] || why "it prints $(head -n 1 out.txt)"
	grep -qE "^regions $2\$" talk.txt || why "$(cat talk.txt)"
	verdict "$1"
}
late "a tool is waited for by other threads" "3 missed 0" 0 100 LATE_MS=500
late "a constructor starts the tool while another thread waits for the linker" "3 missed 0" 100 0 LATE_MS=0
late "a constructor does not wait for ever for a tool that waits for the linker" "[12] missed 1" 0 100 LATE_MS=500 LATE_ASKS=1

# The example prints one line for each chunk: 18 iterations, in chunks of 4 and one of 2.
gcc -Wall -Werror -shared -fPIC -idirafter "$libomp_headers" "-I$here/../../include" "$here/../../examples/ompt/loads.c" \
	-o libloads.so && cp "$(compiled conformance for.c gcc)" dynamic ||
	why "it does not compile"
LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$work/libloads.so ./dynamic for_dynamic > out.txt 2>&1 || why "it fails"
[ "$(awk 'NF == 4 && $1 ~ /^[0-9]+$/ && $4 >= 0 { print $2 ".." $3 }' out.txt | sort -n | tr '\n' ' ')" = \
	"0..3 4..7 8..11 12..15 16..17 " ] || why "$(cat out.txt)"
verdict "the example prints what each chunk took"

# A tool that asks for every event there is, and for every answer, in a program of many constructs.
tool tool.c libtool.so || why "it does not compile"
for T in 1 2 4 8; do
	plain=$(OMP_NUM_THREADS=$T ./constructs)
	rm -f tool.out
	OMP_NUM_THREADS=$T LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$work/libtool.so TOOL_OUT=tool.out \
		timeout -k 5 60 ./constructs > out.txt 2> talk.txt || why "T=$T: it fails: $(head -n 1 talk.txt)"
	# the second number tells that a tool answered a command
	[ "$(cat out.txt)" = "${plain% *} 1" ] || why "T=$T: it prints $(cat out.txt), without $plain"
	! grep -q 'strange [1-9]' tool.out || why "T=$T: $(grep -m 1 'strange [1-9]' tool.out)"
	grep -q 'asked [1-9][0-9]*, wrong 0; initialized 1, finalized 1, later 0' tool.out || why "T=$T: $(grep ^own tool.out)"
	[ "$(grep -c '^event' tool.out)" -ge 15 ] || why "T=$T: only $(grep -c '^event' tool.out) kinds of events"
done
T=4
verdict "a tool that asks for everything"

# LLVM's header that makes two tools of one.
multiplex=$(dirname "$(find /usr/lib/llvm-*/include -name ompt-multiplex.h 2> /dev/null | head -n 1)")
if [ "$multiplex" != . ] && gcc -O1 -fPIC -shared -w -idirafter "$libomp_headers" "-I$multiplex" \
	"$here/programs/multiplexed.c" -o libmultiplexed.so -ldl 2> /dev/null; then
	for program in ./tasks ./constructs; do
		rm -f watch.txt count.txt
		COUNT_OUT=count.txt MULTIPLEXED_LIBRARIES=$watch WATCH_OUT=watch.txt WATCH_STANDARD=1 LD_PRELOAD=$provider \
			OMP_TOOL_LIBRARIES=$work/libmultiplexed.so timeout -k 5 60 "$program" > out.txt 2> talk.txt ||
			why "$program fails: $(head -n 1 talk.txt)"
		[ "$(value broken)" = 0 ] || why "$program: $(grep -m 1 '^wrong' watch.txt)"
		[ "$(value tasks)" -gt 0 ] || why "$program: no tasks"
		[ "$(cat count.txt)" = "tasks $(($(value tasks) + $(value waitpoints)))
complete $(value complete)" ] || why "$program: $(value tasks) tasks, the other counts $(tr '\n' ' ' < count.txt)"
	done
	verdict "two tools by ompt-multiplex.h"
else
	say ok "two tools by ompt-multiplex.h # SKIP no header"
fi

# LLVM's Archer tells ThreadSanitizer of OpenMP's order.
archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2> /dev/null | head -n 1)
if [ -n "$archer" ] && gcc -O1 -g -fopenmp -fsanitize=thread "$living/race.c" -o race 2> /dev/null; then
	export TSAN_OPTIONS=ignore_noninstrumented_modules=1
	races() { # words
		timeout -k 5 100 ./race "$@" > out.txt 2> plain.txt
		plain=$(grep -c 'SUMMARY: .*race\.c:' plain.txt)
		ARCHER_OPTIONS=verbose=1 LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$archer timeout -k 5 100 ./race "$@" \
			> talk.txt 2>&1
		races=$(grep -c 'SUMMARY: ' talk.txt)
		grep -q '^done$' talk.txt || why "it does not end"
		grep -q 'supplying OpenMP synchronization semantics' talk.txt || why "it was not asked"
	}
	races
	[ "$plain" -gt 0 ] || why "no race is reported without it: this proves nothing"
	[ "$races" -eq 0 ] || why "$races races where there are none: $(grep -m 1 SUMMARY talk.txt)"
	verdict "Archer: no race that is none"
	races really
	[ "$races" -gt 0 ] || why "the race is not found"
	verdict "Archer: the race that is one"
	unset TSAN_OPTIONS
	LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$archer ./tasks > out.txt 2>&1 || why "it fails"
	[ "$(cat out.txt)" = right ] || why "it prints $(head -n 1 out.txt)"
	verdict "Archer: quiet in other programs"
else
	say ok "Archer # SKIP not here"
fi
done_testing
