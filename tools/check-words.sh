#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-words.sh ROOT [FILE...] - does any text that users read contain a phrase of tests/gate/words.txt? Looks into
# the strings of src/**/*.c, *.cc and *.def, and into man/, doc/, README.md, examples/README.md and
# viewer/app but for its comments; or into FILEs of the current folder. Prints TAP, a line for each phrase.
set -eu
export LC_ALL=C

[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//; 4,6p' "$0" >&2; exit 2; }
here=$PWD
cd "$1"
shift
scratch=$(mktemp -d "${TMPDIR:-/tmp}/winnow-words.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# FILE:LINE:TEXT of all that is read: of C only what is in quotes, of others all but comments
texts() {
	if [ $# -gt 0 ]; then
		(cd "$here" && grep -n '' /dev/null "$@")
		return
	fi
	# a comment has no quotes, or they are its own; one awk for all files, not three processes for each
	find src viewer/app -name '*.c' -o -name '*.cc' -o -name '*.def' -o -name '*.ts' -o -name '*.tsx' | sort | xargs awk '
		{
			sub(/^[[:space:]]*\/?\*.*/, "")
			if (FILENAME ~ /\.tsx?$/) {
				sub(/\/\/.*/, "")
				sub(/\/\*.*\*\//, "")
				if (/[a-z] [a-z]/) print FILENAME ":" FNR ":" $0
				next
			}
			sub(/\/\*.*\*\//, "")
			while (match($0, /"[^"]*[a-z] [^"]*"/)) {
				print FILENAME ":" FNR ":" substr($0, RSTART, RLENGTH)
				$0 = substr($0, RSTART + RLENGTH)
			}
		}'
	find man doc README.md examples/README.md -name '*.[135]' -o -name '*.in' -o -name '*.md' | sort | xargs grep -n '' /dev/null
}

# PHRASE, tab, FILE:LINE:TEXT for each phrase in each line; neither in a longer word nor in a file's name
sed '/^#/d; /^$/d; s/ *|.*//' tests/gate/words.txt > "$scratch/phrases"
texts "$@" | awk -v phrases="$scratch/phrases" '
	BEGIN {
		while ((getline line < phrases) > 0)
			wanted[line] = tolower(line)
	}
	{
		text = $0
		sub(/^[^:]*:[^:]*:/, "", text)
		text = tolower(text)
		for (phrase in wanted) {
			at = index(text, wanted[phrase])
			if (at && substr(" " text, at, 1) !~ /[a-z]/ && substr(text, at + length(phrase), 1) !~ /[a-z]/)
				print phrase "\t" $0
		}
	}' | sort > "$scratch/lines"
number=0
while read -r phrase; do
	number=$((number + 1))
	if ! grep -q "^$phrase	" "$scratch/lines"; then
		echo "ok $number - no text says '$phrase'"
		continue
	fi
	echo "not ok $number - no text says '$phrase'"
	grep "^$phrase	" "$scratch/lines" | cut -f 2- | sed 's/^/# /'
	echo "# instead: $(sed -n "s/^$phrase | //p" tests/gate/words.txt)"
done < "$scratch/phrases"
echo "1..$number"
