#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-symbols.sh LIBRARY LIST [--update] - the names LIBRARY exports (with their versions) are those
# of LIST: in the recorder each one stands in front of somebody else's function. Prints TAP.
set -eu

if [ $# -lt 2 ]; then
	echo "usage: check-symbols.sh LIBRARY LIST [--update]" >&2
	exit 2
fi
found=$(mktemp)
trap 'rm -f "$found"' EXIT
nm -D --defined-only "$1" | awk '{ print $NF }' | LC_ALL=C sort -u > "$found"
if [ "${3:-}" = --update ]; then
	cp "$found" "$2"
fi
name="$(basename "$1") exports what $(basename "$2") lists"
if difference=$(diff -u "$2" "$found"); then
	echo "ok 1 - $name"
else
	echo "not ok 1 - $name"
	printf '%s\n' "$difference" | sed 's/^/# /'
fi
echo "1..1"
