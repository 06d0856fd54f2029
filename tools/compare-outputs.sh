#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compare-outputs.sh OLD NEW TRACE... - what two builds say of the same recordings: byte for byte
# the same, or which output of which recording differs.
#
#   OLD, NEW   folders where winnow was built
#   TRACE      recordings, also damaged ones
#
# Compared are output, messages and exit status of report (as text and as JSON), tree, check, export
# (CSV, GraphML) and view, and of diff with the recording named before. For changes after which
# nothing may be told otherwise.
set -u

[ $# -ge 3 ] || { sed -n 's/^# \{0,1\}//; 4,12p' "$0" >&2; exit 2; }
old=$(cd "$1" && pwd)/winnow
new=$(cd "$2" && pwd)/winnow
shift 2
scratch=$(mktemp -d "${TMPDIR:-/tmp}/winnow-compare.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
n_same=0
n_other=0

# says WHICH WINNOW ARG...: all that it says, in $scratch/WHICH
says() {
	which=$1
	shift
	rm -f "$scratch/file"
	timeout 300 "$@" > "$scratch/$which" 2> "$scratch/messages"
	echo "status $?" >> "$scratch/$which"
	cat "$scratch/messages" >> "$scratch/$which"
	[ ! -f "$scratch/file" ] || cat "$scratch/file" >> "$scratch/$which"
}

# same ARG...
same() {
	says old "$old" "$@"
	says new "$new" "$@"
	if cmp -s "$scratch/old" "$scratch/new"; then
		n_same=$((n_same + 1))
	else
		n_other=$((n_other + 1))
		echo "differs: winnow $*"
		diff "$scratch/old" "$scratch/new" | cut -c 1-200 | sed -n 1,4p
	fi
}

before=''
for trace; do
	same report --color never "$trace"
	same report --json "$trace"
	same report --theta --compat --color never "$trace"
	same tree --color never "$trace"
	same tree --json "$trace"
	same check "$trace"
	same export --format csv -o "$scratch/file" "$trace"
	same export --format graphml -o "$scratch/file" "$trace"
	same view -o "$scratch/file" "$trace"
	[ -z "$before" ] || same diff --color never "$before" "$trace"
	before=$trace
done
echo "$n_same outputs are the same, $n_other differ"
[ "$n_other" = 0 ]
