#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-formats.sh WINNOW MAKE_RUN FOLDER - exports made-up runs in all formats and prints TAP: are the
# bytes those in FOLDER/golden.ar, and do independent readers accept them?
# With WN_UPDATE=1 it writes FOLDER/golden.ar instead. An archive of ar without dates and owners is text
# where its members are, so that git shows what changes in them.
set -eu

if [ $# -ne 3 ]; then
	echo "usage: check-formats.sh WINNOW MAKE_RUN FOLDER" >&2
	exit 2
fi
winnow=$(realpath "$1")
make_run=$(realpath "$2")
folder=$(realpath "$3")
top=$(mktemp -d "${TMPDIR:-/tmp}/winnow-export.XXXXXX")
trap 'rm -rf "$top"' EXIT
cd "$top"
mkdir golden
(cd golden && ar x "$folder/golden.ar")
number=0

# result SENTENCE COMPLAINTS
result() {
	number=$((number + 1))
	if [ -z "$2" ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		printf '%s\n' "$2" | head -n 20 | sed 's/^/# /'
	fi
}

# optional PROGRAM SENTENCE: is there this reader?
optional() {
	command -v "$1" > /dev/null && return 0
	number=$((number + 1))
	echo "ok $number - $2 # SKIP $1 is missing"
	return 1
}

accept() {
	if optional xmllint "$1 is XML that obeys its schema"; then
		case $1 in
		*.graphml) set -- "$1" --relaxng "$folder/graphml.rng" ;;
		*.gexf) set -- "$1" --relaxng "$folder/gexf.rng" ;;
		*.plain | *.bare) set -- "$1" --relaxng "$folder/plain.rng" ;;
		*) set -- "$1" ;;
		esac
		file=$1
		shift
		result "$file is XML that obeys its schema" \
			"$(xmllint --noout "$@" "$file" 2>&1 | grep -v ' validates$' || true)"
	fi
}

for run in tree loop threads serial depend nodes hostile; do
	"$make_run" "$run" > "$run.winnow"
	for file in $run.graphml $run.dot $run.csv $run.svg $run.fragments.graphml $run.fragments.dot \
		$run.gexf $run.plain $run.bare $run.nodes $run.edges $run.fragments.plain; do
		form=reduced
		case $file in *.fragments.*) form=fragments ;; esac
		said=$("$winnow" export "$run.winnow" --form "$form" -o "$file" 2>&1) || said="$said status $?"
		if [ "${WN_UPDATE-}" = 1 ]; then
			cp "$file" "golden/$file"
		fi
		result "$file is as it was" "$said$(diff -au "golden/$file" "$file" 2>&1 || true)"
		case $file in
		*.graphml | *.svg | *.gexf | *.plain | *.bare)
			accept "$file"
			;;
		*.dot)
			if optional dot "graphviz reads $file"; then
				result "graphviz reads $file" "$(dot -Tplain "$file" 2>&1 > /dev/null || echo failed)"
			fi
			;;
		esac
	done
	result "$run.graphml obeys the grammar" "$(awk -f "$folder/check-graph.awk" "$run.graphml" || true)"
	# as many nodes and edges in each, one in each line of the tables
	for what in node edge; do
		for file in "$run.gexf" "$run.plain" "$run.bare"; do
			result "$file has all ${what}s" "$([ "$(grep -c "<$what " "$file")" = \
				"$(grep -c "<$what " "$run.graphml")" ] || echo "not as many as $run.graphml")"
		done
		rows=$(LC_ALL=C grep -c "^[0-9Efjd.]*," "$run.${what}s" || true)
		result "$run.${what}s has all ${what}s" \
			"$([ "$rows" = "$(grep -c "<$what " "$run.graphml")" ] || echo "$rows lines")"
	done
	# one row for each rectangle; wrappers that are not drawn have rows too
	rectangles=$(grep -c '<data key="d3">' "$run.graphml" || true)
	rows=$(LC_ALL=C awk 'NR > 2 && /^[0-9]+,/ { n++ } END { print n + 0 }' "$run.csv")
	result "$run.csv has a row for each grain drawn" \
		"$([ "$rows" -ge "$rectangles" ] || echo "$rows rows, $rectangles rectangles")"
done
if [ "${WN_UPDATE-}" = 1 ]; then
	rm -f "$folder/golden.ar"
	(cd golden && ar rcDS "$folder/golden.ar" -- *)
fi
echo "1..$number"
