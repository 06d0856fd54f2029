#!/bin/bash
# SPDX-License-Identifier: MIT
#
# found.sh BUILD - what real programs showed to be wrong, in small. TAP.
set -euo pipefail

if [ $# -ne 1 ] || [ ! -x "$1/winnow" ]; then
	echo "usage: found.sh BUILD, a folder with winnow" >&2
	exit 2
fi
winnow=$(realpath "$1")/winnow
here=$(cd "$(dirname "$0")" && pwd)
type -P jq > /dev/null || { echo "1..0 # SKIP jq is missing"; exit; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
number=0
failed=0

check() { # NAME COMMAND...
	local name=$1
	shift
	number=$((number + 1))
	if "$@" > answers.txt; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' answers.txt talk.txt
		failed=1
	fi
}

gcc -O1 -g -fopenmp -o short_regions "$here/short_regions.c"

# mmseqs: a script runs many short programs.
status=0
"$winnow" record -o child.winnow sh -c './short_regions; sleep 0.5; exit 3' 2> talk.txt || status=$?
"$winnow" report --json child.winnow > child.json
check "the status of the command passes through" [ "$status" -eq 3 ]
check "a program that a script started did not end with the script's status" \
	jq -e '.program.exit_status == null and .program.signal == null' child.json
check "nor did it run as long as the script" jq -e '.program.wall_ns == null' child.json
check "the report says that it does not know" \
	jq -e '[.fidelity[] | select(.construct == "process")] | length == 1' child.json

# mmseqs: the first process that uses OpenMP does next to nothing.
OMP_NUM_THREADS=2 "$winnow" run -o most.winnow \
	sh -c './short_regions few; ./short_regions few; ./short_regions; ./short_regions few' \
	2> talk.txt
check "of several processes the report is on the one with the most time in regions" \
	grep '^\./short_regions: ' talk.txt
check "and a line says which, and how to see the others" \
	grep 'most\.winnow\.[0-9]*: the report is on this process.*winnow report FILE.*: most\.winnow,' talk.txt

# FastTree, data.table: regions that are quick to start, charged with what the others take. Which of
# the two takes more depends on what else the machine does; that both take the same is no accident.
"$winnow" record -o short.winnow ./short_regions 2> talk.txt
"$winnow" report --json short.winnow > short.json
check "what starting a region costs is laid at its own place" \
	jq -e '[.advice[] | select(.rule == "many_regions") | .loss_ns] | length != 2 or .[0] != .[1]' \
	short.json
echo "1..$number"
exit "$failed"
