# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# common.bash BUILD - what the scripts here share, which is what those of tests/crash share. Sourced.

# shellcheck source-path=SCRIPTDIR source=../crash/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/../crash/common.bash"
unset ARCHER_OPTIONS TSAN_OPTIONS MULTIPLEXED TOOL_OUT TOOL_DECLINES

# $clang, or the oldest, with libomp: for the youngest runtime, as programs are linked to it that run on all
with_libomp() {
	mkdir -p "$work/link"
	ln -sf "$(realpath "$runtimes/$newest_libomp/libomp.so.5")" "$work/link/libomp.so"
	"${clang:-$oldest_clang}" -O1 -g -fopenmp -L"$work/link" -idirafter "$libomp_headers" "$@"
}

skip_all() { # why
	echo "1..0 # SKIP $1"
	exit 0
}
