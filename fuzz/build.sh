#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build.sh OUTDIR - compiles the fuzz entries with libFuzzer and the sanitizers into OUTDIR.
# CLANG names the compiler (default: clang).
set -eu

if [ $# -ne 1 ]; then
	echo "usage: build.sh OUTDIR" >&2
	exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
for entry in trace blocks; do
	${CLANG:-clang} -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -Isrc -Iinclude -I. \
		src/base/*.c src/trace/*.c src/graph/*.c fuzz/harness.c "fuzz/fuzz_$entry.c" \
		-o "$out/fuzz_$entry"
done
echo "$out/fuzz_trace $out/fuzz_blocks"
