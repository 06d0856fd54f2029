#!/bin/sh
# SPDX-License-Identifier: MIT
#
# symbols.sh - gomp_symbols.def against the installed libgomp and against what we export. Entry points
# that are in neither that list nor known.def are noticed in ../unknown/table.sh. TAP.
#
#   symbols.sh RECORDER [LIBGOMP]
recorder=$(realpath "$1")
libgomp=${2:-$(gcc -print-file-name=libgomp.so)}
table=$(cd "$(dirname "$0")/../../.." && pwd)/src/record/sources/libgomp/gomp_symbols.def
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

exports() {
	nm -D --defined-only "$1" | awk '$2 == "T" && $3 ~ /^GOMP_/ { sub(/@.*/, "", $3); print $3 }' |
		sort -u
}

# Those omp functions that wait or end waiting, with their versions.
waiting() { # library
	nm -D --defined-only "$1" |
		awk '$2 == "T" && $3 ~ /^omp_((set|unset|test)_(nest_)?lock_?|fulfill_event_?|target_mem(cpy|cpy_rect|set)_async)@/ { print $3 }' |
		sort -u
}

versioned() {
	sed -n 's/^GOMP_VERSIONED(\(.*\), .*, "\(.*\)").*/\1@\2/p' "$table" | sort -u
}

listed() { # pattern
	sed -n "s/^GOMP_$1(\\([^)]*\\)).*/\\1/p" "$table" | sort -u
}

# Entry points that may be younger than the installed library
younger() {
	sed -n -e 's/^GOMP_VERSIONED(\(.*\), .*, "\(.*\)") .*since GCC.*/\1@@\2/p' \
		-e 's/^GOMP_[A-Z]*(\([^),]*\)) .*since GCC.*/\1/p' "$table" | sort -u
}

report() { # text; $tmp/difference is empty if all is well
	n=$((n + 1))
	if [ -s "$tmp/difference" ]; then
		sed 's/^/# /' "$tmp/difference"
		echo "not ok $n - $1"
	else
		echo "ok $n - $1"
	fi
}

echo "1..4"
n=0
exports "$libgomp" >"$tmp/libgomp"
younger >"$tmp/younger"
listed '[PW][A-Z]*' | grep -vxF -f "$tmp/younger" | grep -vxF -f "$tmp/libgomp" >"$tmp/difference"
report "$libgomp exports what the table lists, but for what is younger"
exports "$recorder" >"$tmp/ours"
listed WRAPPED >"$tmp/wrapped"
diff "$tmp/wrapped" "$tmp/ours" >"$tmp/difference"
report "the recorder exports what the table calls wrapped"
waiting "$libgomp" >"$tmp/libgomp"
waiting "$recorder" >"$tmp/ours"
grep -vxF -f "$tmp/libgomp" "$tmp/younger" >"$tmp/absent"
grep -vxF -f "$tmp/absent" "$tmp/ours" | diff "$tmp/libgomp" - >"$tmp/difference"
report "the recorder exports every version of the functions that wait, with the same default"
versioned >"$tmp/versioned"
sed 's/@@/@/' "$tmp/ours" | sort -u | diff "$tmp/versioned" - >"$tmp/difference"
report "and the table lists them"
