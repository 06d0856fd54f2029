#!/bin/bash
# SPDX-License-Identifier: MIT
#
# found.sh BUILD - what real programs showed, in small. What is not mended yet is marked TODO.
set -euo pipefail

if [ $# -ne 1 ]; then
	echo "usage: found.sh BUILD" >&2
	exit 2
fi
winnow=$(realpath "$1")/winnow
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0

check() { # NUMBER NAME [TODO] -- COMMAND...
	local number=$1 name=$2 todo=
	shift 2
	if [ "$1" != -- ]; then
		todo=" # TODO $1"
		shift
	fi
	shift
	if "$@" > answers.txt; then
		echo "ok $number - $name$todo"
	else
		echo "not ok $number - $name$todo"
		[ -n "$todo" ] || failed=1
	fi
}

echo 1..4
gcc -O1 -g -fopenmp -o short_regions "$here/short_regions.c"

# mmseqs: a script runs many short programs.
status=0
"$winnow" record -o child.winnow sh -c './short_regions; sleep 2; exit 3' 2> talk.txt || status=$?
"$winnow" report --json child.winnow > child.json
check 1 "the status of the command passes through" -- [ "$status" -eq 3 ]
check 2 "a program that a script started did not end with the script's status" \
	"the trace of every process gets the command's status" -- \
	jq -e '.program.exit_status != 3' child.json
check 3 "nor did it run as long as the script" "the trace of every process gets the command's time" -- \
	jq -e '.program.wall_ns < 1900000000' child.json

# FastTree, data.table: a finding that wins back more than the regions take.
"$winnow" record -o short.winnow ./short_regions 2> talk.txt
"$winnow" report --json short.winnow > short.json
check 4 "what starting a region costs is laid at its own place" -- \
	jq -e '[.advice[] | select(.rule == "many_regions") | .gain_ns] | length != 2 or .[0] != .[1]' \
	short.json
exit "$failed"
