#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gen-trace-man.sh ROOT - prints man/winnow-trace.5: the text of man/winnow-trace.5.in, the validity
# rules out of the comment in src/trace/trace_format.h, and the events of src/trace/events.def.
#     tools/gen-trace-man.sh . > man/winnow-trace.5
# With --check: says in TAP whether the committed page is what would be printed.
set -eu

is_check=
if [ "${1:-}" = --check ]; then
	is_check=yes
	shift
fi
if [ $# -ne 1 ]; then
	echo "usage: gen-trace-man.sh [--check] ROOT" >&2
	exit 2
fi
cd "$1"

# The rules, word by word: from "V1" to the end of the comment, a rule's lines joined.
rules() {
	sed -n '/^ \*   V1 /,/^ \*\//p' src/trace/trace_format.h | awk '
		/^ \*\// { next }
		/^ \*   V[0-9]+ / { print ".TP"; print ".B " $2; sub(/^ \*   V[0-9]+ +/, "") }
		{ sub(/^ \* +/, ""); gsub(/\\/, "\\e"); gsub(/-/, "\\-"); print }'
}

# One entry for each event; comments of the table on a line of their own become paragraphs.
events() {
	tr '\n' '\f' < src/trace/events.def | sed 's/,\f[ \t]*/, /g; s/"\f[ \t]*"//g' | tr '\f' '\n' | awk '
		/^\/\* .* \*\/$/ {
			sub(/^\/\* /, ""); sub(/ \*\/$/, "")
			if (is_inside) {
				print ".SS " toupper(substr($0, 1, 1)) substr($0, 2)
			}
		}
		/SPDX/ { next }
		/^ \*\/$/ { is_inside = 1 }
		/^WN_EVENT\(/ {
			line = $0
			sub(/^WN_EVENT\(/, "", line)
			match(line, /^[A-Z_]+/)
			name = substr(line, 1, RLENGTH)
			n = split(line, field, /, */)
			split(line, text, "\"")
			values = text[2]
			gsub(/,/, " ", values)
			gsub(/-/, "\\-", text[4])
			printf ".TP\n.BR %s \" (%s)\"\n", name, field[2]
			printf "%s%s\n", field[3] == 1 ? "time, " : "", \
				field[4] == 1 ? "site, " : ""
			if (values != "")
				printf ".IR \"%s\" :\n", values
			print text[4] "."
		}' | sed '/^$/d; /^time, $/s/, $/;/; /^site, $/s/, $/;/; /^time, site, $/s/, $/;/'
}

page() {
	while IFS= read -r line; do
		case $line in
		@RULES@) rules ;;
		@EVENTS@) events ;;
		*) printf '%s\n' "$line" ;;
		esac
	done < man/winnow-trace.5.in
}

if [ -z "$is_check" ]; then
	page
	exit 0
fi
if page | cmp -s - man/winnow-trace.5; then
	echo "ok 1 - winnow-trace(5) agrees with trace_format.h and events.def"
else
	echo "not ok 1 - winnow-trace(5) agrees with trace_format.h and events.def"
	page | diff man/winnow-trace.5 - | sed 's/^/# /' | head -20
fi
echo "1..1"
