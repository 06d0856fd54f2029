#!/bin/sh
# SPDX-License-Identifier: MIT
#
# corpus.sh - the inputs of each fuzz entry, which lie in one archive, corpus/ENTRY.ar.
#
#   corpus.sh add ENTRY FILE...   adds inputs, each named by the hash of its content
#   corpus.sh unpack ENTRY DIR    writes them as files into DIR, which is made
#   corpus.sh pack ENTRY DIR      replaces the archive by the files of DIR
#
# An archive holds no dates, owners or modes, and its members are sorted: the same inputs are the same
# bytes. `ar t` lists them, `ar p corpus/ENTRY.ar NAME` prints one.
set -eu
export LC_ALL=C

usage() {
	sed -n 's/^# \{0,1\}//; 4,8p' "$0" >&2
	exit 2
}

pack() { # DIR
	rm -f "$archive.new"
	(cd "$1" && find . -maxdepth 1 -type f ! -name '.*' -printf '%P\0' | sort -z | xargs -0 ar rcDS "$archive.new")
	mv "$archive.new" "$archive"
}

[ $# -ge 3 ] || usage
action=$1
archive=$(cd "$(dirname "$0")/corpus" && pwd)/$2.ar
shift 2
if [ "$action" != pack ] && [ ! -e "$archive" ]; then
	echo "corpus.sh: no $archive" >&2
	exit 2
fi
case $action in
add)
	folder=$(mktemp -d "${TMPDIR:-/tmp}/winnow-corpus.XXXXXX")
	trap 'rm -rf "$folder"' EXIT
	(cd "$folder" && ar x "$archive")
	for file; do
		cp "$file" "$folder/$(sha1sum < "$file" | cut -c 1-12)"
	done
	pack "$folder"
	;;
unpack)
	mkdir -p "$1"
	(cd "$1" && ar x "$archive")
	;;
pack) pack "$1" ;;
*) usage ;;
esac
