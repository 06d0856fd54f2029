#!/bin/bash
# SPDX-License-Identifier: MIT
#
# late.sh BUILD - the recorder opened late, by Python, after both runtimes and three libraries that have already taken 800
# bytes each of the static thread-local storage that glibc keeps for such libraries. TAP.
set -u

build=$(realpath "$1")
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-late.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset LD_PRELOAD LD_LIBRARY_PATH GLIBC_TUNABLES
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$(dirname "$0")/../tap.bash"

if ! find_python; then
	echo '1..0 # SKIP no python3'
	exit 0
fi
for i in 1 2 3; do
	echo '__thread char block[800] __attribute__((tls_model("initial-exec"))); char *where(void) { return block; }' |
		gcc -x c -fPIC -shared - -o "$work/lib$i.so" || exit 1
done
open='
import ctypes, sys
for name in sys.argv[1:]:
    ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
'
for recorder in record ompt; do
	for version in 14 16 19; do
		libomp=$build/runtimes/$version/libomp.so.5
		if [ ! -e "$libomp" ]; then
			say ok "libwinnow-$recorder.so opened late beside libomp $version # SKIP tools/fetch-runtimes.sh $build/runtimes"
			continue
		fi
		result "libwinnow-$recorder.so opened late beside libomp $version and four others" "$("$python" -S -c "$open" \
			"$work"/lib[123].so libgomp.so.1 "$libomp" "$build/libwinnow-$recorder.so" 2>&1 | tail -n 1)"
	done
done
done_testing
