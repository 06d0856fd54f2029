#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-keys.sh WINNOW MAKE_TRACE METRICS.md - every key of `--json` of `winnow report` (also of a job), `diff`, `tree`, `similar`,
# every problem type and rule is defined in METRICS.md. Prints TAP.
set -eu

if [ $# -ne 3 ]; then
	echo "usage: check-keys.sh WINNOW MAKE_TRACE METRICS.md" >&2
	exit 2
fi
winnow=$1
make_trace=$2
page=$3
if ! command -v jq > /dev/null; then
	echo "1..0 # SKIP jq is missing"
	exit 0
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/winnow-keys.XXXXXX")
trap 'rm -rf "$folder"' EXIT

for run in loop tasks killed regions lone producer mutex serial; do
	"$make_trace" "$run" > "$folder/$run.winnow"
	"$winnow" report --json "$folder/$run.winnow" > "$folder/$run.json"
done
for pair in "loop tasks" "tasks tasks" "producer serial"; do
	set -- $pair
	"$winnow" diff --json --similarity "$folder/$1.winnow" "$folder/$2.winnow" > "$folder/$1-$2.json"
done
"$winnow" diff --json "$folder/loop.winnow" "$folder/tasks.winnow" "$folder/lone.winnow" > "$folder/series.json"
"$winnow" tree --json --depth 3 "$folder/tasks.winnow" > "$folder/tree.json"
"$winnow" similar --json "$folder/tasks.winnow" R/F0 > "$folder/similar.json"
mkdir -p "$folder/job.winnow.d/r/000"
for rank in 0 1 2 3 4; do
	cp "$folder/tasks.winnow" "$folder/job.winnow.d/r/000/00000$rank.winnow"
	echo '{"schema": "winnow.rank/1", "cpus": "0", "sockets": "0,1"}' > "$folder/job.winnow.d/r/000/00000$rank.json"
done
cp "$folder/loop.winnow" "$folder/job.winnow.d/r/000/000005.winnow"
echo '{"schema": "winnow.job/1", "size": 7}' > "$folder/job.winnow.d/job.json"
"$winnow" report --json "$folder/job.winnow.d" > "$folder/job.json"
"$winnow" report --summary "$folder/one.sum" "$folder/job.winnow.d/r/000/000005.winnow"
"$winnow" diff --json "$folder/job.winnow.d" "$folder/one.sum" > "$folder/jobs.json"
"$winnow" tree --json "$folder/job.winnow.d" > "$folder/trees.json"
keys=$(jq -rn '[inputs | [.. | objects | keys[]] + [.problems[]?.type] + [.advice[]?.rule]] | add | unique | .[]' \
	"$folder"/*.json)

number=0
failed=0
for key in $keys; do
	number=$((number + 1))
	if grep -q -e "\`$key\`" "$page"; then
		echo "ok $number - $key is defined"
	else
		echo "not ok $number - $key is defined"
		failed=1
	fi
done
echo "1..$number"
exit "$failed"
