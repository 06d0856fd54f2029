#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run-case.sh BUILD FOLDER [CASE] - runs the cases of one verb and prints TAP.
#
# A case is FOLDER/CASE.sh, or a part of a FOLDER/FILE.sh that has several: there it begins at a line `#: CASE`. It is run by
# sh -eu in an empty folder of its own, with `winnow` of BUILD on the PATH, $CLANG being a clang that compiles with OpenMP,
# $PROGRAMS naming tests/cli/programs, and $COMPILED the folder with what the build has compiled of them
# (tests/programs). A case with simulated counters preloads $SIMULATED (tests/counters/simulated.c). A jq program that prints
# numbers that need not be whole begins with $NUMBERS.
# Comments at its end are what is expected:
#     #= exit STATUS                            default: 0
#     #= stdout, #= stderr                      default: no output
#     #= stdout glob, #= stderr glob            the output matches this pattern
#     #| LINE                                   a line of it
# A glob stands for the whole output, newlines included; a trailing newline does not count.
# The first comment line of a case is its name, a sentence. Exit status 77 skips it; what it printed
# last says why. `fails FILE`, after a command that failed with FILE as its output, fails the case, and skips it where FILE
# has the reason that the machine disturbed a recorded run too much to predict others.
#
# With WN_UPDATE=1 the cases that differ are rewritten to expect what they print, but for globs. Look
# at the difference before it is committed.
set -u

if [ $# -lt 2 ]; then
	echo "usage: run-case.sh BUILD FOLDER [CASE]" >&2
	exit 2
fi
build=$(cd "$1" && pwd) || exit 2
folder=$(cd "$2" && pwd) || exit 2
only=${3:-}
PROGRAMS=$(cd "$folder/../programs" && pwd)
COMPILED=$build/tests/programs
export PROGRAMS COMPILED
# The whole environment that matters here is the case's own.
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES WINNOW_OUT WINNOW_BACK OMP_NUM_THREADS
export PATH="$build:$PATH" LC_ALL=C
# profiles of winnow calibrate are the case's own
export XDG_CACHE_HOME=/dev/null/none WINNOW_CALIBRATE=never
SIMULATED=$build/tests/counters/libsimulated.so
# a winnow that is built with a sanitizer starts also behind what a case preloads
ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
export SIMULATED ASAN_OPTIONS
# jq 1.7 prints a number as it was written, 3.0; jq 1.6 prints 3. A program that begins with this prints 3 in both.
export NUMBERS='walk(if type == "number" then . + 0 else . end)'
# $CLANG: the oldest clang and what it needs to compile with OpenMP, in words
# shellcheck source-path=SCRIPTDIR source=../here.bash
. "$(dirname "$0")/../here.bash"
export CLANG="$oldest_clang -idirafter $libomp_headers -L$build/runtimes/$newest_libomp"

# shellcheck disable=SC2016 # expanded by the case's shell
for_cases='fails() {
	cat "$1" >&2
	grep -q "replay of the recorded run differs from it by over 25 %" "$1" || exit 1
	echo "the machine disturbed the recorded run"
	exit 77
}'
top=$(mktemp -d "${TMPDIR:-/tmp}/winnow-cli.XXXXXX")
trap 'rm -rf "$top"' EXIT
number=0
failed=0

# Each case in a file of its own, $cases/NAME.sh; in $cases/files, which file of the folder each is from. All in one go, and
# what follows starts no process for a case but its shell: there are hundreds, and most take less than a process does.
cases=$top/.cases
mkdir "$cases"
awk -v cases="$cases" '
	FNR == 1 {
		if (to) close(to)
		name = FILENAME
		sub(/.*\//, "", name)
		sub(/\.sh$/, "", name)
		to = ""
		if (!/^#: /) { to = cases "/" name ".sh"; print FILENAME "\t" name; has_one = 1 } else has_one = 0
	}
	/^#: / {
		if (has_one) { print FILENAME ": a line before the first case" > "/dev/stderr"; exit 1 }
		if (to) close(to)
		to = cases "/" $2 ".sh"
		print FILENAME "\t" $2
		next
	}
	{ print > to }' "$folder"/*.sh > "$cases/files" || exit 2
twice=$(cut -f 2 "$cases/files" | sort | uniq -d)
if [ -n "$twice" ]; then
	echo "run-case.sh: $folder has two cases of one name: ${twice//$'\n'/, }" >&2
	exit 2
fi

# Writes the file that has this case anew.
write_back() { # CASE
	local file name
	file=$(awk -F '\t' -v name="$1" '$2 == name { print $1 }' "$cases/files")
	if grep -q '^#: ' "$file"; then
		awk -F '\t' -v file="$file" '$1 == file { print $2 }' "$cases/files" | while read -r name; do
			echo "#: $name"
			cat "$cases/$name.sh"
		done > "$cases/whole"
		cat "$cases/whole" > "$file"
	else
		cat "$cases/$1.sh" > "$file"
	fi
}

# read_case CASE: its name into sentence, and what it must do into wanted (the exit status), expected[WHICH] (stdout or
# stderr) and is_glob[WHICH]
declare -A expected is_glob
read_case() {
	local lines line which=
	mapfile -t lines < "$cases/$1.sh"
	sentence='' wanted=0
	expected=([stdout]='' [stderr]='') is_glob=([stdout]='' [stderr]='')
	for line in "${lines[@]}"; do
		case $line in
		'#= exit '*) wanted=${line#'#= exit '} which= ;;
		'#= '*)
			which=${line#'#= '}
			[ "$which" = "${which% glob}" ] || is_glob[${which% glob}]=1
			which=${which% glob}
			;;
		'#|'*)
			line=${line#'#|'}
			[ -z "$which" ] || expected[$which]+=${line# }$'\n'
			;;
		'# '*) [ -n "$sentence" ] || sentence=${line#'# '} ;;
		esac
	done
	sentence=${sentence//'#'/ }
}

# matches WHICH CASE: compares $top/CASE.WHICH with what is expected; neither NUL nor the newlines at the end count
matches() {
	local found='' wanted=${expected[$1]}
	if [ -s "$top/$2.$1" ] && IFS= read -r -d '' found < "$top/$2.$1"; then
		found=$(tr -d '\0' < "$top/$2.$1")
	fi
	while [[ $found == *$'\n' ]]; do found=${found%$'\n'}; done
	while [[ $wanted == *$'\n' ]]; do wanted=${wanted%$'\n'}; done
	if [ -n "${is_glob[$1]}" ]; then
		# unquoted on purpose: it is a pattern
		# shellcheck disable=SC2053
		[[ $found == $wanted ]] && return 0
	else
		[ "$found" = "$wanted" ] && return 0
	fi
	printf '%s differs; expected:\n%s\nfound:\n%s\n' "$1" "$wanted" "$found" >> "$top/why"
	return 1
}

# update CASE STATUS: rewrites what the case expects
update() {
	local which
	{
		sed '/^#= /,$d' "$cases/$1.sh"
		[ "$2" = 0 ] || echo "#= exit $2"
		for which in stdout stderr; do
			if [ -n "${is_glob[$which]}" ]; then
				echo "#= $which glob"
				printf '%s' "${expected[$which]}"
			elif [ -s "$top/$1.$which" ]; then
				echo "#= $which"
				cat "$top/$1.$which"
			fi | sed '/^#= /!{s/^/#| /;s/^#| $/#|/}'
		done
	} > "$top/updated"
	cat "$top/updated" > "$cases/$1.sh"
	write_back "$1"
}

run_case() {
	local name=$1 sentence status wanted
	read_case "$name"
	: > "$top/why"
	(cd "$top/$name" && exec sh -euc "$for_cases"$'\n. "$0"' "$cases/$name.sh") \
		> "$top/$name.stdout" 2> "$top/$name.stderr" < /dev/null
	status=$?
	number=$((number + 1))
	if [ "$status" -eq 77 ]; then
		echo "ok $number - $name: $sentence # SKIP $(tail -n 1 "$top/$name.stdout")"
		return
	fi
	if [ "$status" -ne "$wanted" ]; then
		echo "exit status $status, expected $wanted" >> "$top/why"
		cat "$top/$name.stderr" >> "$top/why"
	fi
	matches stdout "$name"
	matches stderr "$name"
	[ ! -s "$top/why" ] || [ "${WN_UPDATE:-}" != 1 ] || update "$name" "$status"
	if [ -s "$top/why" ]; then
		echo "not ok $number - $name: $sentence"
		sed 's/^/# /' "$top/why"
		failed=$((failed + 1))
	else
		echo "ok $number - $name: $sentence"
	fi
}

names=()
while IFS=$'\t' read -r _ case_name; do
	[ -n "$only" ] && [ "$only" != "$case_name" ] || names+=("$case_name")
done < "$cases/files"
[ ${#names[@]} -eq 0 ] || (cd "$top" && mkdir "${names[@]}") || exit 2
for case_name in "${names[@]}"; do
	run_case "$case_name"
done
echo "1..$number"
[ "$failed" -eq 0 ]
