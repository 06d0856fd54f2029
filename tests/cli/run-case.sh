#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run-case.sh BUILD FOLDER [CASE] - runs the cases of one verb and prints TAP.
#
# A case is FOLDER/CASE.sh, run by sh -eu in an empty folder of its own, with `winnow` of BUILD on the
# PATH, and $PROGRAMS naming tests/cli/programs. Beside it lies what is expected:
#     CASE.stdout.exact or CASE.stdout.glob     default: no output
#     CASE.stderr.exact or CASE.stderr.glob     default: no output
#     CASE.exit                                 default: 0
# A glob stands for the whole output, newlines included; a trailing newline does not count.
# The first comment line of a case is its name, a sentence. Exit status 77 skips it; what it printed
# last says why.
set -u

if [ $# -lt 2 ]; then
	echo "usage: run-case.sh BUILD FOLDER [CASE]" >&2
	exit 2
fi
build=$(cd "$1" && pwd) || exit 2
folder=$(cd "$2" && pwd) || exit 2
only=${3:-}
PROGRAMS=$(cd "$folder/../programs" && pwd)
export PROGRAMS
# The whole environment that matters here is the case's own.
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES WINNOW_OUT WINNOW_BACK OMP_NUM_THREADS
export PATH="$build:$PATH" LC_ALL=C

top=$(mktemp -d "${TMPDIR:-/tmp}/winnow-cli.XXXXXX")
trap 'rm -rf "$top"' EXIT
number=0
failed=0

# matches WHICH CASE: compares $top/CASE.WHICH with what is expected
matches() {
	local actual expected
	actual=$(tr -d '\0' < "$top/$2.$1")
	if [ -e "$folder/$2.$1.glob" ]; then
		expected=$(cat "$folder/$2.$1.glob")
		# unquoted on purpose: it is a pattern
		# shellcheck disable=SC2053
		[[ $actual == $expected ]] && return 0
	elif [ -e "$folder/$2.$1.exact" ]; then
		expected=$(cat "$folder/$2.$1.exact")
		[ "$actual" = "$expected" ] && return 0
	else
		expected=
		[ -z "$actual" ] && return 0
	fi
	printf '%s differs; expected:\n%s\nfound:\n%s\n' "$1" "$expected" "$actual" >> "$top/why"
	return 1
}

run_case() {
	local name=$1 sentence status wanted=0
	sentence=$(sed -n '/^# /{s/^# //;s/#/ /g;p;q}' "$folder/$name.sh")
	mkdir "$top/$name"
	: > "$top/why"
	(cd "$top/$name" && exec sh -eu "$folder/$name.sh") \
		> "$top/$name.stdout" 2> "$top/$name.stderr" < /dev/null
	status=$?
	number=$((number + 1))
	if [ "$status" -eq 77 ]; then
		echo "ok $number - $name: $sentence # SKIP $(tail -n 1 "$top/$name.stdout")"
		return
	fi
	[ -e "$folder/$name.exit" ] && wanted=$(cat "$folder/$name.exit")
	if [ "$status" -ne "$wanted" ]; then
		echo "exit status $status, expected $wanted" >> "$top/why"
		cat "$top/$name.stderr" >> "$top/why"
	fi
	matches stdout "$name"
	matches stderr "$name"
	if [ -s "$top/why" ]; then
		echo "not ok $number - $name: $sentence"
		sed 's/^/# /' "$top/why"
		failed=$((failed + 1))
	else
		echo "ok $number - $name: $sentence"
	fi
}

for file in "$folder"/*.sh; do
	case_name=$(basename "$file" .sh)
	if [ -z "$only" ] || [ "$only" = "$case_name" ]; then
		run_case "$case_name"
	fi
done
echo "1..$number"
[ "$failed" -eq 0 ]
