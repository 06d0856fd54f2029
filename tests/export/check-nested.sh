#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-nested.sh WINNOW MAKE_RUN MAKE_RANDOM FOLDER - exports made-up runs and random programs as nested
# GraphML, all views, and prints TAP: does each document obey its grammar, and is it the fold of the flat one?
set -eu

if [ $# -ne 4 ]; then
	echo "usage: check-nested.sh WINNOW MAKE_RUN MAKE_RANDOM FOLDER" >&2
	exit 2
fi
for tool in xmllint python3; do
	if ! command -v "$tool" > /dev/null; then
		echo "1..0 # SKIP $tool is missing"
		exit 0
	fi
done
winnow=$(realpath "$1")
make_run=$(realpath "$2")
make_random=$(realpath "$3")
folder=$(realpath "$4")
top=$(mktemp -d "${TMPDIR:-/tmp}/winnow-nested.XXXXXX")
trap 'rm -rf "$top"' EXIT
cd "$top"
number=0

# check NAME: all views of NAME.winnow
check() {
	complaints=$(
		set +e
		"$winnow" export "$1.winnow" --format graphml -o "$1.flat" 2>&1
		root=$("$winnow" tree "$1.winnow" --depth 0 --json | sed -n 's/^    "root": "\(.*\)",/\1/p')
		"$winnow" export "$1.winnow" -o "$1.graphml" --nested --view all --local "$root" 2>&1 |
			grep -v 'was not measured; no view of it$'
		find . -name "$1*.graphml" -exec xmllint --noout --relaxng "$folder/nested.rng" {} + 2>&1 |
			grep -v ' validates$'
		find . -name "$1*.graphml" -exec python3 "$folder/check-nested.py" "$1.flat" {} + 2>&1
		true
	)
	number=$((number + 1))
	if [ -z "$complaints" ]; then
		echo "ok $number - $1: $(find . -name "$1*.graphml" | wc -l) documents are the fold"
	else
		echo "not ok $number - $1: the documents are the fold"
		printf '%s\n' "$complaints" | head -n 20 | sed 's/^/# /'
	fi
	rm -f "$1".* "$1"-*
}

for run in tree loop threads depend hostile; do
	"$make_run" "$run" > "$run.winnow"
	check "$run"
done
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	"$make_random" "$seed" > "random-$seed.winnow" || continue
	check "random-$seed"
done
echo "1..$number"
