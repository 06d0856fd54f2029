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
