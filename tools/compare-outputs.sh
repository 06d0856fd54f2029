#!/bin/bash
# SPDX-License-Identifier: MIT
#
# compare-outputs.sh [OPTION]... BEFORE AFTER [DIR] - what two builds of winnow print and write of the
# same recordings: the same bytes, or which output of which recording differs, and where first.
#
#   BEFORE, AFTER   winnow, or the folder where it was built
#   DIR             recordings (*.winnow); where there are none, make-recordings.sh makes them with
#                   BEFORE (default: winnow-recordings in TMPDIR)
#   --ignore-words  compare numbers and structure only: of text the words that contain a digit, of JSON
#                   everything but sentences, of which the numbers
#   --only REGEX    compare those outputs only, as `report --json` or `bench-.*: export`
#
# Compared are output, messages and exit status of report, tree, check, dump, export in every format (of
# dump and of the profile, which can be very large, the first megabyte), the data of the page (the JSON in run.grains, and the checksum of each column), and diff with
# the recording before. The paths of both builds and all options are the same, so nothing is left out of
# the comparison; where an output differs, BEFORE runs once more, and an output that it does not repeat
# itself is listed as varying. Exit status 0: all outputs are the same, 1: not, 2: usage.
set -u

usage() {
	sed -n 's/^# \{0,1\}//; 4,14p' "$0" >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
ignore_words=no
only=.
while [ $# -gt 0 ]; do
	case $1 in
	--ignore-words) ignore_words=yes ;;
	--only)
		[ $# -ge 2 ] || usage
		only=$2
		shift
		;;
	--one) break ;; # internal: the outputs of one recording
	-*) usage ;;
	*) break ;;
	esac
	shift
done

# output WINNOW FILE SUBCOMMAND...: everything that one build prints and writes, in FILE
output() {
	local winnow=$1 file=$2 status
	shift 2
	rm -f "$file" "$scratch/page.grains"
	case $* in
	dump* | *'--format profile'*)
		timeout 300 "$winnow" "$@" 2> "$scratch/messages" | head -c 1000000 > "$file"
		;;
	view*)
		timeout 300 "$winnow" "$@" -o "$scratch/page.grains" > "$file" 2> "$scratch/messages"
		status=$?
		[ ! -e "$scratch/page.grains" ] || python3 "$here/grains-text.py" "$scratch/page.grains" >> "$file"
		(exit $status)
		;;
	*) timeout 300 "$winnow" "$@" > "$file" 2> "$scratch/messages" ;;
	esac
	status=${PIPESTATUS[0]}
	[ "$status" != 141 ] || status=0 # the rest was not read
	if [ $ignore_words = yes ]; then numbers < "$file" > "$file.numbers" && mv "$file.numbers" "$file"; fi
	{
		# text may end without a newline
		echo
		echo "exit status $status"
		if [ $ignore_words = yes ]; then numbers < "$scratch/messages"; else cat "$scratch/messages"; fi
	} >> "$file"
}

# What is left of an output without its words
numbers() {
	cat > "$scratch/all"
	if [ "$(head -c 1 "$scratch/all")" = '{' ] && jq -S 'walk(if type == "string" and test(" ")
			then [scan("[0-9][0-9.,]*")] else . end)' "$scratch/all" 2> "$scratch/ignored"; then
		return
	fi
	LC_ALL=C grep -aoE '[^[:space:]]*[0-9][^[:space:]]*' "$scratch/all" |
		LC_ALL=C sed -E 's/^[("'\''`]+//; s/[]).,;:"'\''`]+$//'
}

# The first lines of two files that differ, from shortly before the first character that does
first_difference() {
	awk -v after="$2" '
		function part(line, at) {
			return (at > 60 ? "…" : "") substr(line, at > 60 ? at - 60 : 1, 160)
		}
		{
			there = (getline other < after) > 0
			if (there && other == $0)
				next
			for (at = 1; at <= length($0) && substr($0, at, 1) == substr(other, at, 1); at++)
				;
			printf "  line %d\n    before: %s\n    after:  %s\n", NR, part($0, at), there ? part(other, at) : "(ends)"
			found = 1
			exit
		}
		END {
			if (!found && (getline other < after) > 0)
				printf "  line %d\n    before: (ends)\n    after:  %s\n", NR + 1, part(other, 1)
		}' "$1"
}

# What differs, for a reader: JSON on lines of its own, if it differs there as well
as_lines() {
	head -n -2 "$1" | jq . > "$1.lines" 2> "$scratch/ignored"
	[ "${PIPESTATUS[1]}" = 0 ] && [ -s "$1.lines" ] && return
	cp "$1" "$1.lines"
}

# compare SUBCOMMAND...: writes a line for the table, and what differs
compare() {
	local label="$*" state=same
	label=${label// --color never/}
	label=${label//"$recording.winnow"/}
	label=${label% }
	[ "$1" != diff ] || label='diff'
	[[ "$recording: $label" =~ $only ]] || return 0
	output "$before" "$scratch/before" "$@"
	output "$after" "$scratch/after" "$@"
	if ! cmp -s "$scratch/before" "$scratch/after"; then
		state=differs
		output "$before" "$scratch/again" "$@"
		cmp -s "$scratch/before" "$scratch/again" || state=varies
		as_lines "$scratch/before"
		as_lines "$scratch/after"
		if cmp -s "$scratch/before.lines" "$scratch/after.lines"; then
			cp "$scratch/before" "$scratch/before.lines"
			cp "$scratch/after" "$scratch/after.lines"
		fi
		first_difference "$scratch/before.lines" "$scratch/after.lines" > "$scratch/first"
	fi
	printf '%s\t%s\t%s\n' "$state" "$label" "$recording"
	[ $state = same ] || cat "$scratch/first"
}

# Everything that is compared of one recording
compare_recording() {
	local format file=$recording.winnow
	compare report --color never "$file"
	compare report --json "$file"
	compare report --theta --compat --color never "$file"
	compare tree --color never "$file"
	compare tree --json "$file"
	compare check "$file"
	compare dump "$file"
	for format in $formats; do
		compare export --format "$format" "$file"
	done
	compare export --format graphml --form fragments "$file"
	compare export --format graphml --nested "$file"
	compare export --format svg --folded "$file"
	compare export --format svg --map "$file"
	compare export --format svg --structure "$file"
	compare view "$file"
	[ -z "$previous" ] || compare diff --color never "$previous" "$file"
}

if [ "${1:-}" = --one ]; then
	results=$2 before=$3 after=$4 formats=$5 recording=$(basename "$6" .winnow) previous=$7
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/winnow-compare.XXXXXX")
	trap 'rm -rf "$scratch"' EXIT
	compare_recording > "$results/$recording"
	exit
fi

if [ $# -lt 2 ] || [ $# -gt 3 ]; then usage; fi
before=$(realpath "$1") after=$(realpath "$2") folder=${3:-${TMPDIR:-/tmp}/winnow-recordings}
[ ! -d "$before" ] || before=$before/winnow
[ ! -d "$after" ] || after=$after/winnow
if [ ! -x "$before" ] || [ ! -x "$after" ]; then usage; fi
for tool in jq python3; do
	command -v $tool > /dev/null || { echo "compare-outputs.sh: needs $tool" >&2; exit 2; }
done
if ! ls "$folder"/*.winnow > /dev/null 2>&1; then
	"$here/make-recordings.sh" "$before" "$folder"
fi
cd "$folder" || exit 2
formats=$("$before" export --help | sed -n 's/^ *-f, --format FORMAT  *\(.*\) (default.*/\1/p' | tr -d ,)
[ -n "$formats" ] || { echo "compare-outputs.sh: $before export --help lists no formats" >&2; exit 2; }

results=$(mktemp -d "${TMPDIR:-/tmp}/winnow-compared.XXXXXX")
trap 'rm -rf "$results"' EXIT
options=(--only "$only")
[ $ignore_words = no ] || options+=(--ignore-words)
previous=
for file in *.winnow; do
	printf '%s\n' "$file" "$previous"
	previous=$file
done | xargs -d '\n' -n 2 -P "${WN_JOBS:-$(nproc)}" \
	"$here/compare-outputs.sh" "${options[@]}" --one "$results" "$before" "$after" "$formats"

# Of each output that differs: the first three recordings in which it does, and how many there are
cat "$results"/* | awk -F '\t' '
	$1 == "same" { n_same++; n[$2]++; next }
	$1 == "differs" || $1 == "varies" {
		n[$2]++
		n_other[$2]++
		if (!($2 in shown))
			order[++n_orders] = $2
		is_shown = ++shown[$2] <= 3
		last = $2
		if (is_shown)
			text[$2] = text[$2] "  " $3 ($1 == "varies" ? ": varies from run to run of BEFORE" : "") "\n"
		n_all++
		next
	}
	is_shown { text[last] = text[last] "  " $0 "\n" }
	END {
		for (i = 1; i <= n_orders; i++)
			printf "%s: differs in %d of %d recordings\n%s", order[i], n_other[order[i]], n[order[i]], text[order[i]]
		printf "%d outputs are the same, %d differ\n", n_same, n_all
		exit n_all > 0 || n_same == 0
	}'
