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
mkdir -p "$1/objects"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

# compile COVERAGE FILE... - to objects; COVERAGE is more options.
compile() {
	coverage=$1
	shift
	for file in "$@"; do
		# no_objects.c is in the place of this one
		[ "$file" = src/symbols/object.c ] && continue
		object=$out/objects/$(echo "$file" | tr / -).o
		# shellcheck disable=SC2086 # options
		${CLANG:-clang} -std=gnu17 -D_GNU_SOURCE -g -O2 \
			-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all \
			$coverage -Isrc -Iinclude -I. -I"$out" -c "$file" -o "$object"
		objects="$objects $object"
	done
}

# Where bytes are read, comparisons tell the fuzzer what to try; further on they only cost time, and
# what the harness itself does is of no interest.
objects=
# what Meson writes; summaries of ranks name the version
echo '#define WN_VERSION "fuzz"' > "$out/wn_version.h"
compile -fsanitize=fuzzer-no-link src/ranks/*.c src/trace/*.c src/expr/*.c src/import/*.c src/grains/*.c tests/view/grains_file.c \
	src/serve/answer.c src/serve/request.c
compile "-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp -DBINS_MAX=4096 -DTOUCHES_MAX=65536" \
	src/graph/*.c src/metrics/*.c src/model/*.c src/simulate/*.c src/table/*.c src/picture/*.c src/aggregate/*.c src/compare/*.c src/advise/*.c src/report/*.c src/export/*.c src/page/*.c src/characterize/*.c \
	src/symbols/*.c
compile "" src/base/*.c fuzz/harness.c fuzz/views.c fuzz/well_formed.c fuzz/no_objects.c fuzz/grains_all.c \
	fuzz/grains_mend.c fuzz/worker.c
common=$objects
for entry in trace blocks expr import table request grains page ranks proofs; do
	objects=$common
	compile -fsanitize=fuzzer-no-link "fuzz/fuzz_$entry.c"
	# shellcheck disable=SC2086 # a list
	${CLANG:-clang} -fsanitize=fuzzer,address,undefined $objects -o "$out/fuzz_$entry" \
		-ljansson -ldeflate -lexpat -ldw -lelf -lz -lm -ldl
done
echo "$out/fuzz_trace $out/fuzz_blocks $out/fuzz_expr $out/fuzz_import $out/fuzz_table $out/fuzz_request $out/fuzz_grains $out/fuzz_page $out/fuzz_ranks $out/fuzz_proofs"
