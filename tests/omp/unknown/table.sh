#!/bin/bash
# SPDX-License-Identifier: MIT
#
# table.sh BUILD - every entry point of the runtimes that are here is known (entries/known.def), every one that is
# called wrapped is exported by the recorder, and the other way round. TAP.
set -u
unset LD_PRELOAD LD_LIBRARY_PATH

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../../../src/record/sources/entries/known.def
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-table.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

folders=
for libomp in "$build"/runtimes/*/libomp.so.5; do
	[ -e "$libomp" ] && folders+=${folders:+:}$(dirname "$libomp")
done
# without this the next two checks would hold of nothing
LD_LIBRARY_PATH=$folders "$build/winnow" doctor > doctor
result "doctor lists a libgomp and a libomp" "$(
	grep -q '^  libgomp .*by wrapping' doctor || echo "no libgomp: $(cat doctor)"
	[ -z "$folders" ] || grep -q '^  libomp .*by OMPT' doctor || echo "no libomp: $(cat doctor)"
)"
result "all entry points of the runtimes here are known" "$(grep 'unknown to this version' doctor)"

# What libomp 22 to 24 brought, where they are not installed: a library with these names, and one that is unknown
mkdir newer
for name in __kmpc_fork_call __kmpc_get_device_env omp_null_mem_space omp_cgroup_mem_space omp_get_dyn_gprivate_ptr \
	omp_get_uid_from_device_ kmp_target_sync_cb kmpc_set_num_threads_8 omp_of_tomorrow; do
	echo "void $name(void) {}"
done > newer/libomp.c
gcc -shared -fPIC newer/libomp.c -o newer/libomp.so.5
LD_LIBRARY_PATH=newer "$build/winnow" doctor > doctor.newer
result "the names of libomp 24 are known" "$(
	grep -A 1 "newer/libomp.so.5" doctor.newer | grep -q 'unknown to this version: 1 (omp_of_tomorrow);' || cat doctor.newer
)"

# The same names, read by nm and looked up by grep.
names() { # kind of symbol, library
	nm -D "$1" "$2" | awk '{ sub(/@.*/, "", $NF); print $NF }' | grep -E '^(GOMP_|GOACC_|__kmpc_)' | grep -v '\.' | sort -u
}
sed -n 's/^WN_KNOWN(\([A-Za-z0-9_]*\), .*/\1/p' "$table" > listed
sed -n 's/^GOMP_WRAPPED(\([A-Za-z0-9_]*\)).*/\1/p' "$here/../../../src/record/sources/libgomp/gomp_symbols.def" > wrapped
for library in "$(gcc -print-file-name=libgomp.so)" "$build"/runtimes/*/libomp.so.5; do
	[ -e "$library" ] || continue
	names --defined-only "$library" | grep -vE '^(GOMP_PLUGIN_|__kmpc_atomic_)' | grep -vxF -f listed | grep -vxF -f wrapped > left
	result "the lists have every GOMP, GOACC and kmpc name of ${library##*/runtimes/}" "$(cat left)"
done

sed -n 's/^WN_KNOWN(\(__kmpc_[A-Za-z0-9_]*\), WRAPPED).*/\1/p' "$table" | sort > wrapped.libomp
names --defined-only "$build/libwinnow-record.so" | grep '^__kmpc_' > exported
result "what the table calls wrapped in libomp is what the recorder exports" "$(diff wrapped.libomp exported)"
result "no name is in the table twice" "$(cat listed wrapped | sort | uniq -d)"
done_testing
