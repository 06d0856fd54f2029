#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-circles.sh [BUILD [SOURCE]] - no two folders of src/ depend on each other, directly or round others:
# neither by what their files include nor, in a library of BUILD, by the symbols that their objects use.
# A folder is one that has files of its own: src/record and src/record/counters are two. Prints TAP.
#
# A header that the build names (record/events.h) is no edge, as the file that includes it does not know which
# it is; what is called through it is one.
set -eu
build=${1:+$(cd "$1" && pwd)}
cd "${2:-$(dirname "$0")/..}"

number=0
failed=0

# report NAME EDGES: EDGES has lines "FROM TO why"; those on a circle are printed.
report() {
	number=$((number + 1))
	if circle=$(printf '%s\n' "$2" | awk '$1 != $2 && NF { print $1, $2 }' | tsort 2>&1 > /dev/null) && [ -z "$circle" ]; then
		echo "ok $number - $1"
		return
	fi
	failed=1
	echo "not ok $number - $1"
	# tsort names the members of each circle behind its message
	printf '%s\n' "$circle" | sed -n 's/^tsort: \([a-z].*[a-z]\)$/\1/p' | grep -v ' ' | sort -u > "$members"
	printf '%s\n' "$2" | awk -v members="$members" '
		BEGIN { while ((getline line < members) > 0) in_circle[line] = 1 }
		in_circle[$1] && in_circle[$2] && $1 != $2' | sort -u | sed 's/^/# /' | head -40
}

members=$(mktemp)
objects=$(mktemp)
trap 'rm -f "$members" "$objects"' EXIT

files=$(find src -name '*.[ch]' | sort)

# shellcheck disable=SC2086
includes=$(awk '
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, part, "\"")
		from = FILENAME; sub("/[^/]*$", "", from); sub("^src/", "", from)
		to = part[2]
		if (!sub("/[^/]*$", "", to))
			next # of its own folder, or made by the build
		if (to ~ /^(winnow|llvm)/)
			next
		print from, to, FILENAME ":" FNR
	}' $files)
report "no circle of includes between the folders of src" "$includes"

# calls PRIVATE: from the objects in that folder of the build. An object without a source is a left-over.
calls() {
	printf '%s\n' "$files" | awk -v private="$1" '{ o = $0; gsub("/", "_", o); print private "/" o ".o", $0 }' |
		while read -r object file; do
			if [ -e "$build/$object" ]; then echo "$object $file"; fi
		done > "$objects"
	[ -s "$objects" ] || return 0
	(cd "$build" && cut -d' ' -f1 "$objects" | xargs nm -A) | awk -v objects="$objects" '
		BEGIN { while ((getline line < objects) > 0) { split(line, o, " "); source[o[1]] = o[2] } }
		{
			name = $1; sub(":.*", "", name); sub("^[^:]*:", "")
			file = folder = source[name]
			sub("^src/", "", folder); sub("/[^/]*$", "", folder)
		}
		NF == 2 && $1 == "U" { use[++n] = folder " " $2 " " file }
		NF == 3 && $2 ~ /[A-Z]/ { home[$3] = folder }
		END {
			for (i = 1; i <= n; i++) {
				split(use[i], u, " ")
				if (u[2] in home)
					print u[1], home[u[2]], u[3] " uses " u[2]
			}
		}'
}

if [ -n "$build" ]; then
	for private in libwinnow-record.so.p libwinnow-ompt.so.p libwinnow.so.p winnow.p; do
		edges=$(calls "$private")
		if [ -z "$edges" ]; then
			number=$((number + 1))
			echo "ok $number - no circle of calls in ${private%.p} # SKIP no objects with symbols"
			continue
		fi
		report "no circle of calls between the folders of ${private%.p}" "$edges"
	done
fi
echo "1..$number"
exit "$failed"
