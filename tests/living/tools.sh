#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools.sh BUILD - a second OMPT tool gets what it gets without Winnow: the same answers, events, data
# words and places in the code; and Winnow records what it records without the tool. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

command -v "$oldest_clang" > /dev/null || skip_all "no clang"
[ -e "$runtimes/$newest_libomp/libomp.so.5" ] || skip_all "no runtimes: tools/fetch-runtimes.sh $runtimes"

cd "$work" || exit 1
n_threads=4
export OMP_NUM_THREADS=$n_threads
programs=$here/programs
tool() { # the library's name, flags
	gcc -O1 -g -fPIC -shared -idirafter "$libomp_headers" "$programs/${2:-tool}.c" -o "$1" ${3:+"$3"} -ldl
}
tool libtool.so && tool libother.so tool '-DTOOL_ENV="OTHER_OUT"' && tool libmultiplexer.so multiplexer &&
	with_libomp "$programs/constructs.c" -o constructs &&
	with_libomp -DTOOL_ENV='"LINKED_OUT"' "$programs/constructs.c" "$programs/tool.c" -o linked -ldl &&
	with_libomp -no-pie -DTOOL_ENV='"LINKED_OUT"' "$programs/constructs.c" "$programs/tool.c" -o linked-no-pie -ldl &&
	with_libomp -Wl,-z,relro,-z,now "$programs/constructs.c" -L. -Wl,--no-as-needed -ltool -Wl,-rpath,"$work" -o needing || exit 1
tool="$work/libtool.so"
other="$work/libother.so"

# What does not depend on time: how dynamic loops and sections are handed out, and the stale places that
# libomp leaves with a lock that was fought for, do when there are several threads; how many threads libomp starts
# (events 1 and 2) depends on how soon others are back in its pool, also for regions with a clause num_threads.
lines() {
	if [ "$n_threads" -eq 1 ]; then
		sed -E '/^event (1|2):/s/: [0-9]+, words known [0-9]+/: n/' "$1" | sort
	else
		grep -vE '^place (17|20|26|27|28):' "$1" | sed -E '/^event (1|2|32):/s/: [0-9]+, words known [0-9]+/: n/' | sort
	fi
}

# same WHAT FILE... -- VARIABLE=VALUE... PROGRAM: the files that the tools write are the same with and
# without us; with no file nothing may be written.
same() {
	local what=$1 files=() file variables=()
	shift
	while [ "$1" != -- ]; do
		files+=("$1")
		shift
	done
	shift
	while [ $# -gt 1 ]; do
		variables+=("$1")
		shift
	done
	rm -rf "$work"/t "$work"/t.* plain ./*.out
	mkdir plain
	{ env "${variables[@]}" timeout -k 5 60 "$1"; } > plain/stdout 2> plain/talk ||
		why "fails without us: $(tail -n 1 plain/talk)"
	for file in "${files[@]}"; do mv "$file" plain || why "no tool"; done
	{ env "${variables[@]}" timeout -k 5 60 "$build/winnow" record -o t "$1"; } > stdout 2> "$work/talk" || why "fails"
	cmp -s plain/stdout stdout || why "output differs: $(tail -n 1 stdout)"
	for file in "${files[@]}"; do
		[ -s "$file" ] || why "$file: the tool was not asked"
		diff <(lines "plain/$file") <(lines "$file") >> "$work/why"
		! grep '^place .*winnow' "$file" >> "$work/why"
	done
	for file in ./*.out; do
		case " ${files[*]} " in *" ${file#./} "*) ;; *) [ ! -e "$file" ] || why "$file: a tool too many" ;; esac
	done
	look_same "$what"
}

# The trace holds what it holds without the tool.
look_same() {
	read_trace "$work/t"
	# shellcheck disable=SC2086
	holds state closed graph sound dropped 0 gaps 0 $alone
	verdict "$1: libomp $version"
}

for version in $libomps; do
	[ -e "$runtimes/$version/libomp.so.5" ] || continue
	use_runtime "$version"
	"$build/winnow" record -o alone ./constructs > "$work/stdout" 2> "$work/talk"
	read_trace "$work/alone"
	rm -f alone
	alone="tasks $(value tasks) completed $(value completed) regions $(value regions) implicit $(value implicit)
		chunks $(value chunks)"
	export TOOL_OUT=tool.out OTHER_OUT=other.out

	same "a tool of OMP_TOOL_LIBRARIES" tool.out -- OMP_TOOL_LIBRARIES="$tool" ./constructs
	! grep -q 'strange [1-9]' tool.out || why "data words are mixed up: $(grep 'strange [1-9]' tool.out)"
	grep -q 'asked [1-9][0-9]*, wrong 0; initialized 1, finalized 1, later 0' tool.out ||
		why "$(grep ^own tool.out)"
	[ "$(grep -c '^event' tool.out)" -ge 21 ] || why "only $(grep -c '^event' tool.out) kinds of events"
	verdict "and its data words are its own: libomp $version"
	same "the first of two wins" tool.out -- OMP_TOOL_LIBRARIES="/nowhere/missing.so:$tool:$other" ./constructs
	same "one that declines is passed over" other.out -- \
		-u TOOL_OUT OMP_TOOL_LIBRARIES="$tool:$work/constructs:$other" ./constructs
	same "all decline" -- -u TOOL_OUT -u OTHER_OUT OMP_TOOL_LIBRARIES="$tool:$other" ./constructs
	same "one without a folder, on the library path" tool.out -- \
		LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$work" OMP_TOOL_LIBRARIES=libtool.so ./constructs
	same "a tool that declines when it is initialized" tool.out -- \
		TOOL_DECLINES=1 OMP_TOOL_LIBRARIES="$tool" ./constructs
	same "a preloaded tool" tool.out -- LD_PRELOAD="$tool" OMP_TOOL_LIBRARIES="$other" ./constructs
	same "a preloaded tool declines" other.out -- \
		-u TOOL_OUT LD_PRELOAD="$tool" OMP_TOOL_LIBRARIES="$other" ./constructs
	same "a tool in a library of the program" tool.out -- OMP_TOOL_LIBRARIES="$other" ./needing
	export LINKED_OUT=linked.out
	for program in linked linked-no-pie; do
		same "a tool linked into the program, $program" linked.out -- OMP_TOOL_LIBRARIES="$other" ./$program
		same "the one in the program declines, $program" other.out -- \
			-u LINKED_OUT OMP_TOOL_LIBRARIES="$other" ./$program
	done
	unset LINKED_OUT
	same "a tool that is two" tool.out other.out -- \
		OMP_TOOL_LIBRARIES="$work/libmultiplexer.so" MULTIPLEXED="$tool:$other" ./constructs
	with_four=$alone
	alone=
	for n_threads in 1 2 3; do
		same "a tool, $n_threads threads" tool.out -- \
			OMP_NUM_THREADS=$n_threads OMP_TOOL_LIBRARIES="$tool" ./constructs
	done
	n_threads=4
	alone=$with_four

	# Without a trace Winnow only hands on.
	rm -f ./*.out
	LD_PRELOAD="$build/libwinnow-record.so" OMP_TOOL_LIBRARIES="$build/libwinnow-record.so:$tool" \
		WINNOW_OUT=/nowhere/t ./constructs > recorded.stdout || why "fails"
	mv tool.out silent || why "no tool"
	OMP_TOOL_LIBRARIES="$tool" ./constructs > plain.stdout
	diff <(lines tool.out) <(lines silent) >> "$work/why"
	verdict "a tool where nothing can be recorded: libomp $version"

	export OMP_TOOL=disabled OMP_TOOL_LIBRARIES="$tool"
	rm -rf plain
	both ./constructs
	unset OMP_TOOL OMP_TOOL_LIBRARIES
	grep -q 'OMP_TOOL=disabled is set' "$work/talk" || why "nobody is told"
	verdict "OMP_TOOL=disabled: libomp $version"
	unset LD_LIBRARY_PATH
done
unset TOOL_OUT OTHER_OUT
done_testing
