# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# common.bash BUILD - what the scripts here share: programs of each compiler, a recorded run beside one
# without us, what the trace says, TAP. Sourced.

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
look=$build/tests/crash/crash-look
runtimes=$build/runtimes
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-crash.XXXXXX")
trap '"$look" --free "$work/" > /dev/null 2>&1; rm -rf "$work"' EXIT
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH WINNOW_OUT WINNOW_BACK OMP_NUM_THREADS
# libomp 14 to 19 read memory that they have not set where several threads open regions at once: with
# this variable, which meson sets, programs crash there without us too
unset MALLOC_PERTURB_
export OMP_DYNAMIC=false
ulimit -c 0
patience=300 # seconds until a program counts as hung: beside forty busy processes three thousand threads took more than 60
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../tap.bash"
: > "$work/why"

why() {
	echo "$*" >> "$work/why"
}

# Ends a check: everything that was said against it since the last one.
verdict() { # sentence
	if [ -s "$work/why" ]; then
		sed 's/^/# /' "$work/why"
		[ ! -e "$work/trace" ] || sed 's/^/#     /' "$work/trace"
		[ ! -e "$work/talk" ] || sed 's/^/#     /' "$work/talk"
		say "not ok" "$1"
	else
		say ok "$1"
	fi
	: > "$work/why"
}

# Programs NAME.gcc, NAME.clang-14 of each source, in $work.
compile_all() {
	local name file compiler
	for name in life steady; do
		for compiler in gcc $oldest_clang; do
			file=$(compiled crash $name.c $compiler) && cp "$file" "$work/$name.$compiler"
		done
	done
	[ -e "$work/life.gcc" ]
}

# "gcc libgomp", "clang-14 14", "clang-14 19": what there is
kinds() {
	local version
	echo gcc libgomp
	[ ! -e "$work/life.$oldest_clang" ] || for version in "$@"; do
		[ ! -e "$runtimes/$version/libomp.so.5" ] || echo "$oldest_clang" "$version"
	done
}

use_runtime() { # libgomp, or a version of libomp
	unset LD_LIBRARY_PATH
	[ "$1" = libgomp ] || export LD_LIBRARY_PATH=$runtimes/$1
}

# Records a command into $work/t.
run_recorded() {
	rm -rf "$work"/t "$work"/t.* "$work/trace"
	# the shell's own words about a killed program go there too
	{ (timeout -k 5 $patience "$build/winnow" record -k -o "$work/t" "$@") > "$work/recorded"; } 2> "$work/talk"
}

# What it wrote, recorded and without us
same_output() {
	cmp -s "$work/plain" "$work/recorded" || why "output differs: $(tail -n 1 "$work/recorded")"
}

# Runs a command without us, then recorded into $work/t; output and status must be the same.
both() {
	local plain recorded
	{ (timeout -k 5 $patience "$@") > "$work/plain"; } 2> "$work/plain.talk"
	plain=$?
	run_recorded "$@"
	recorded=$?
	[ $plain -eq $recorded ] || why "exit status $recorded, without us $plain"
	same_output
}

read_trace() { # file, counters
	"$look" "$@" > "$work/trace" || why "$1 does not open"
}

# What record said of a trace, $work/t alone, is what check, dump, the report and its JSON say.
same_words() {
	local words text
	words=$("$build/winnow" check "$work/t" | sed -n 's/^recording: //p')
	[ -n "$words" ] || why "check does not judge"
	grep -q "winnow record: $work/t: .*, ${words//./\\.}\(;\|$\)" "$work/talk" ||
		grep -q "^winnow record: .*, ${words//./\\.}\(;\|$\)" "$work/talk" ||
		why "record and check differ: $words"
	"$build/winnow" dump --limit 1 "$work/t" > "$work/dump" 2> /dev/null
	grep -qxF "recording: $words" "$work/dump" || why "dump and check differ: $words"
	text=$("$build/winnow" report --json "$work/t" 2> /dev/null)
	if [ "$words" = complete ]; then
		[[ $text == *'"complete": true,'*'"incomplete_because": null,'* ]] || why "JSON differs from check: $words"
	else
		[[ $text == *'"complete": false,'*"\"incomplete_because\": \"$words\","* ]] ||
			why "JSON differs from check: $words"
	fi
	text=$("$build/winnow" report "$work/t" 2> /dev/null | tr -s '\n ' ' ')
	case $words,$text in
	complete,*'The recording is incomplete'*) why "the report says incomplete" ;;
	complete,* | *"The recording is incomplete: $words. See"* | *,*Signal*ended*) ;;
	*) why "the report differs from check: $words" ;;
	esac
}

# Waits until programs/steady.c has ended that many tasks more: how long that takes depends on what else runs.
tasks_more() { # N
	local i ended wanted=
	for ((i = 0; i < 3000; i++)); do
		read -r ended < <(od -An -tu8 -j16 -N8 "$work/counters" 2> "$work/ignored") || ended=
		: "${wanted:=${ended:+$((ended + $1))}}"
		[ "${ended:-0}" -lt "${wanted:-1}" ] || break
		sleep 0.01
	done
}

# Reads what the trace says, lines "NAME VALUE", into the array values.
declare -A values=()
read_values() {
	local lines=() line
	values=()
	[ ! -e "$work/trace" ] || mapfile -t lines < "$work/trace"
	for line in "${lines[@]}"; do
		[[ $line != *?' '* ]] || values[${line%% *}]=${line#* }
	done
}

value() { # name
	read_values
	echo "${values[$1]:-}"
}

# holds NAME VALUE...: what the trace must say
holds() {
	read_values
	while [ $# -gt 1 ]; do
		[ "${values[$1]:-}" = "$2" ] || why "$1 is ${values[$1]:-}, expected $2"
		shift 2
	done
}
