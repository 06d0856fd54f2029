#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-alone.sh SOURCE - src/expr needs no C library, so that it can be compiled for web pages: what its
# files include, and what they call, by each compiler here. Prints TAP.
set -eu
cd "${1:-$(dirname "$0")/..}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/winnow-alone.XXXXXX")
trap 'rm -rf "$folder"' EXIT
number=0
failed=0

# result SENTENCE COMPLAINTS
result() {
	number=$((number + 1))
	if [ -z "$2" ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
		failed=1
	fi
}

result "src/expr includes itself and what every compiler has" \
	"$(grep -nE '^[ \t]*#[ \t]*include' src/expr/*.[ch] |
		grep -vE '"expr/|<std(bool|def|int)\.h>' || true)"

# calls NAME ALLOWED COMPILER OPTION... - the names that are left open, but for those of the folder.
# Every compiler may ask for memcpy and memset, wherever it compiles for.
calls() {
	name=$1
	allowed=$2
	shift 2
	if ! command -v "$1" > /dev/null || ! echo 'int x;' | "$@" -c -x c - -o "$folder/x.o" 2> /dev/null; then
		number=$((number + 1))
		echo "ok $number - src/expr calls nothing, by $name # SKIP $name is missing"
		return
	fi
	for file in src/expr/*.c; do
		"$@" -std=c17 -O2 -ffreestanding -Isrc -c "$file" -o "$folder/$(basename "$file" .c).o"
	done
	rm -f "$folder/x.o"
	open=$("${NM:-nm}" -u "$folder"/*.o 2> /dev/null | awk '$1 == "U" { print $2 }' | sort -u)
	mine=$("${NM:-nm}" --defined-only "$folder"/*.o 2> /dev/null | awk 'NF == 3 { print $3 }' | sort -u)
	result "src/expr calls nothing, by $name" "$(for symbol in $open; do
		echo " $allowed memcpy memset $mine " | tr '\n' ' ' | grep -qF " $symbol " || echo "$symbol"
	done)"
	rm -f "$folder"/*.o
}

# which machine has an instruction for which of these is the compiler's matter
calls gcc "floor ceil trunc sqrt _GLOBAL_OFFSET_TABLE_" gcc
clang=$(tools/toolchain.sh clangs | head -n 1)
calls clang "floor ceil trunc sqrt" "${clang:-clang}"
NM=$(echo "${clang:-clang}" | sed 's/clang/llvm-nm/') calls "clang for WebAssembly" "__stack_pointer" "${clang:-clang}" --target=wasm32
echo "1..$number"
exit "$failed"
