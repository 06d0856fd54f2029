#!/bin/bash
# SPDX-License-Identifier: MIT
#
# hardening.sh BUILD OPTIMIZED - how the command and the libraries of a build are linked and compiled: read
# from the files with readelf and objdump. OPTIMIZED: 1 if the build is optimised and without sanitizers. Prints TAP.
set -u

if [ $# -ne 2 ]; then
	echo "usage: hardening.sh BUILD OPTIMIZED" >&2
	exit 2
fi
build=$1
if ! command -v readelf > /dev/null; then
	echo "1..0 # SKIP readelf is missing"
	exit 0
fi
n=0

# check SENTENCE COMMAND... - a TAP line
check() {
	local sentence=$1
	shift
	n=$((n + 1))
	if "$@"; then echo "ok $n - $sentence"; else echo "not ok $n - $sentence"; fi
}
has_relro() { readelf -Wl "$1" | grep -q GNU_RELRO; }
is_bound_now() { readelf -Wd "$1" | grep -q -E 'BIND_NOW|FLAGS_1.*NOW'; }
is_pie() { readelf -Wh "$1" | grep -q 'Type: *DYN' && readelf -Wd "$1" | grep -q 'FLAGS_1.*PIE'; }
has_no_exec_stack() { readelf -Wl "$1" | grep GNU_STACK | grep -q -v 'RWE'; }
uses() { readelf -Ws "$1" | grep -q -E "UND .*$2"; }
uses_no() { ! uses "$1" "$2"; }
has_no_textrel() { ! readelf -Wd "$1" | grep -q TEXTREL; }

for file in "$build"/winnow "$build"/libwinnow*.so; do
	name=${file##*/}
	check "$name: what is relocated is read-only afterwards" has_relro "$file"
	check "$name: its stack is not executable" has_no_exec_stack "$file"
	check "$name: its code is not relocated" has_no_textrel "$file"
	case $name in
	libwinnow-qemu.so) ;; # bound as QEMU's versions have functions
	*) check "$name: everything is bound at the start" is_bound_now "$file" ;;
	esac
done
check "winnow is position-independent" is_pie "$build/winnow"
for name in winnow libwinnow.so; do
	check "$name has stack protectors" uses "$build/$name" __stack_chk_fail
	if [ "$2" = 1 ]; then
		check "$name checks sizes of buffers" uses "$build/$name" '__[a-z]*printf_chk'
	fi
done
# protects FILE FUNCTION: the function checks its stack protector
protects() {
	objdump -d --no-show-raw-insn "$1" |
		awk -v name="<$2>:" '/^[0-9a-f]+ </ { is_here = $2 == name } is_here && /__stack_chk_fail/ { n++ } END { exit !n }'
}
protects_not() { ! protects "$@"; }
# Of these only functions with arrays of characters have one, as the creation of a task must not cost more.
for file in "$build"/libwinnow-record.so "$build"/libwinnow-ompt.so "$build"/libwinnow-qemu.so; do
	if [ -e "$file" ]; then
		check "${file##*/} has stack protectors" uses "$file" __stack_chk_fail
	fi
done
check "opening the trace file has a stack protector" protects "$build/libwinnow-record.so" recorder_file_open
for file in "$build"/libwinnow-record.so "$build"/libwinnow-ompt.so; do
	for function in GOMP_task gomp_task_clauses task_any; do
		check "${file##*/}: $function has no stack protector" protects_not "$file" "$function"
	done
done
# It may call nothing of the C library, and its threads have no canary.
if [ -e "$build/libwinnow-native.so" ]; then
	check "libwinnow-native.so has no stack protectors" uses_no "$build/libwinnow-native.so" __stack_chk_fail
fi
echo "1..$n"
