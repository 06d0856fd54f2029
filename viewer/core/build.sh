#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build.sh OUT.wasm [DEPFILE] - the core for the page: the analysis' own C, no C library, no imports. With DEPFILE, which
# gets what it was built from, as make wants it, the output is an empty file where tools are missing.
set -eu
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: build.sh OUT.wasm [DEPFILE]" >&2
	exit 2
fi
case $1 in
/*) out=$1 ;;
*) out=$PWD/$1 ;;
esac
depfile=${2:+$(realpath "$2")} target=$1
cd "$(dirname "$0")/../.."
# Other versions write other bytes; which those of the committed page are: tools/build-page.sh
if [ -z "${CC:-}" ]; then
	for CC in $(tools/toolchain.sh clangs); do
		LD=$(echo "$CC" | sed 's/clang/wasm-ld/')
		! command -v "$LD" > /dev/null || break
	done
fi
LD=${LD:-wasm-ld} OPT=${OPT:-wasm-opt}
for tool in "${CC:-clang}" "$LD" "$OPT"; do
	if ! command -v "$tool" > /dev/null; then
		echo "build.sh: $tool is missing" >&2
		[ -n "$depfile" ] || exit 77
		: > "$out"
		: > "$depfile"
		exit 0
	fi
done
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-core.XXXXXX")
trap 'rm -rf "$work"' EXIT
for file in viewer/core/*.c src/base/decimal.c src/base/error.c src/base/markup.c src/base/order.c src/expr/*.c src/page/*.c src/picture/svg.c src/table/*.c \
	src/grains/column.c src/grains/shape.c; do
	# what goes over all grains is fast; the rest is small
	case $file in
	src/page/fold.c | src/page/problem_bits.c | src/page/snapshot.c | src/page/timeline_paint.c | src/grains/column.c | src/expr/eval.c) level='-O2 -fno-unroll-loops' ;;
	*) level=-Oz ;;
	esac
	# shellcheck disable=SC2086 # words
	"$CC" --target=wasm32 -std=gnu17 $level -Wall -Wextra -Werror -ffreestanding -ffp-contract=off -fno-common \
		-ffunction-sections -fdata-sections -mbulk-memory -msign-ext -mnontrapping-fptoint -fvisibility=hidden -D_GNU_SOURCE \
		-isystem viewer/core/libc -Isrc -Iinclude -MD -c "$file" -o "$work/$(echo "$file" | tr / _).o"
done
"$LD" --no-entry --gc-sections --compress-relocations --strip-all -z stack-size=65536 --initial-memory=1048576 \
	--global-base=1024 "$work"/*.o -o "$work/linked.wasm"
# smaller: no data is below global-base, which is what low-memory-unused relies on
"$OPT" --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int -Oz --converge --low-memory-unused \
	"$work/linked.wasm" -o "$out"
[ -z "$depfile" ] || cat "$work"/*.d | sed 's/^[^ ]*\.o://; s/\\$//' | tr -s ' ' '\n' | sort -u | sed -n "s#^[^/].*#$target: $PWD/&#p" > "$depfile"
