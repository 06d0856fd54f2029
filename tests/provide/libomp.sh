#!/bin/bash
# SPDX-License-Identifier: MIT
#
# libomp.sh BUILD - the extension's events on unmodified libomp 14, 16 and 19: creations, loops and chunks
# are as many as the programs of tests/conformance say (tests/conformance/cell.sh has the words), with
# their bounds; and what the runtime sends itself arrives as it is. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

compiled conformance tasks.c "$oldest_clang" > /dev/null || skip_all "no clang"
[ -e "$runtimes/$newest_libomp/libomp.so.5" ] || skip_all "no runtimes: tools/fetch-runtimes.sh $runtimes"

# What LLVM's runtime does not keep by itself (programs/watch.c): its entry points speak of another task
# around a switch, in undeferred tasks and in a worker's last barrier, whose state is overhead (5, 8, 42, 49);
# untied tasks switch to themselves (35, 38); a taskwait's pseudo-task has its dependences late (43).
known=,5,8,35,38,42,43,49,

# expect KEY: into the variable wanted the number, in terms of T; nothing when the program does not say
expect() {
	local number
	numbered "$1" expect 'expect ompt' "expect clang-14,libomp-$version"
	wanted=$number
}

# What the tool sees of a program, held against what that says
compare() {
	local wanted saying
	expect chunks
	saying 'limit ompt'
	[ -z "$wanted" ] || [ -n "$saying" ] || ((${seen[grain_chunks]:-} == wanted)) ||
		why "libomp $version, T=$T: ${seen[grain_chunks]:-} chunks, not $wanted"
	saying range
	wanted=${saying%$'\n'}
	[ -z "$wanted" ] || [ "0 ${seen[grain_iterations]:-}" = "$wanted" ] ||
		why "libomp $version, T=$T: ${seen[grain_iterations]:-} iterations of $wanted"
	expect explicit_tasks
	[[ $name == taskloop_* ]] || [ -z "$wanted" ] || ((${seen[created]:-} == wanted)) ||
		why "libomp $version, T=$T: ${seen[created]:-} creations, not $((wanted))"
	[[ $name != taskloop_* ]] || { ((${seen[created]:-} == ${seen[tasks]:-})) && ((${seen[created_ns]:-} > 0)); } ||
		why "libomp $version, T=$T: ${seen[created]:-} creations of ${seen[tasks]:-} tasks, in ${seen[created_ns]:-} ns"
}

cd "$work" || exit 1
while IFS=: read -r source one; do
	name=${one:-${source##*/}}
	name=${name%.c}
	[[ $name == @(for_|task_|taskloop_|taskwait|recursion|depend)* && $source == *.c ]] || continue
	read_remarks "$source" "$one"
	saying 'na ompt' 'na clang-14,libomp-14'
	[ -z "$saying" ] || continue
	# untied tasks are still on when the implicit task ends (4, 13, 29)
	others=
	[ "$name" != task_untied ] || others=4,13,29,
	# a large taskloop is shared out by tasks of the runtime, on behalf of the one that met it (4)
	case $name in
	taskloop_many | taskloop_outlives) others=4, ;;
	esac
	while read -r way threads; do
		clang=${way%,*} version=${way#*,}
		is_compiled conformance "${source##*/}" "$clang" || continue
		program=$compiled
		saying env
		read -r -a environment <<< "${saying//$'\n'/ }"
		environment+=("WATCH_EXCEPT=$known$others")
		use_runtime "$version"
		for T in $threads; do
			# shellcheck disable=SC2086 # $one is no word where a file has one program
			watched "$program" $one || continue
			compare
		done
		# as it is without the extension: no thread is followed, and no place in the code is ours
		environment+=(WATCH_STANDARD=1)
		# shellcheck disable=SC2086
		watched "$program" $one
		use_runtime libgomp
		saying construct
		verdict "$clang, libomp $version: ${saying%$'\n'}, $name"
	done < <(runs_of "$name.c" 'clang*' "1 2 4")
done < <(constructs)

# Creations take what is missing, and the tasks that run inside them are not in it.
tool producer.c libproducer.so || why "it is not compiled"
for what in TASK TASKLOOP; do
	while read -r way threads; do
		clang=${way%,*} version=${way#*,}
		program=$(compiled producer producer.c "$clang -D$what") || continue
		use_runtime "$version"
		for T in $threads; do
			balanced "$program" "$clang, libomp $version"
		done
		use_runtime libgomp
		verdict "$clang, libomp $version, $what: creations, own work and tasks run are the producer's time"
	done < <(runs_of "producer $what" 'clang*' "1 2 4")
done

# A runtime that has the authors' extension is left to send it. The provider stands before it by its link.
if gcc -O1 -idirafter "$libomp_headers" "$here/programs/native.c" -o native "$provider" -Wl,-rpath,"$build"; then
	OMP_TOOL_LIBRARIES=$work/libwatch.so WATCH_OUT=watch.txt ./native > out.txt || why "it fails"
	[ "$(tr '\n' ' ' < out.txt)" = "81 is the runtime's 82 is the runtime's 83 is the runtime's 84 is not 85 is not " ] ||
		why "$(cat out.txt)"
	[ "$(grep -cE '^answer 8[1-3]: 5' watch.txt)" = 3 ] || why "$(grep '^answer 8' watch.txt)"
	verdict "a runtime that has the extension itself"
else
	why "it does not link"
	verdict "a runtime that has the extension itself"
fi
done_testing
