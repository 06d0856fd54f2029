#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hosts.sh - programs that meet libgomp in uncommon ways. TAP.
#
#   hosts.sh RECORDER CHECK BUILDDIR
recorder=$(realpath "$1") check=$(realpath "$2") dir=$3
here=$(cd "$(dirname "$0")" && pwd)/hosts
n=0 failed=0
rm -rf "$dir"
mkdir -p "$dir"

report() { # wanted and found status, text
	n=$((n + 1))
	if [ "$1" = "$2" ]; then
		echo "ok $n - $3"
	else
		echo "not ok $n - $3: $2, expected $1"
		failed=1
	fi
}

record() { # command...
	rm -f "$dir"/trace.winnow*
	WINNOW_OUT=$dir/trace.winnow LD_PRELOAD=$recorder timeout 60 "$@" >"$dir/output" 2>&1
}

count() { # name in the last trace
	"$check" "$dir/trace.winnow" | sed -n "s/^$1 //p"
}

if ! command -v gcc >/dev/null; then
	echo "1..0 # SKIP no gcc"
	exit 0
fi
gcc -fopenmp -O2 "$here/programs.c" -o "$dir/programs" || exit 1
gcc -O2 "$here/host.c" -o "$dir/host" -ldl -pthread || exit 1
gcc -fopenmp -O2 -fPIC -shared "$here/library.c" -o "$dir/first.so" || exit 1

record "$dir/host" "$dir/first.so"
report 0 $? "a library opened late and privately"
report 800 "$(count tasks)" "all its tasks are seen"
report 400 "$(count locks)" "all its locks are seen"

# A second copy of libgomp under a name of the same length, as Python wheels bring.
sed 's/libgomp\.so\.1/libgomq.so.1/g' "$(gcc -print-file-name=libgomp.so)" >"$dir/libgomq.so.1"
sed 's/libgomp\.so\.1/libgomq.so.1/g' "$dir/first.so" >"$dir/second.so"
record env LD_LIBRARY_PATH="$dir" "$dir/host" "$dir/first.so" "$dir/second.so"
report 0 $? "two copies of libgomp, each with its own library"
report 1600 "$(count tasks)" "the tasks of both are seen"
report 800 "$(count criticals)" "the critical sections of both are seen"
"$check" "$dir/trace.winnow" >"$dir/output"
report 0 $? "and are not taken for one"

record "$dir/programs" ends
report 7 $? "exit inside a region keeps its status"
report 1 "$(count regions)" "and its trace"

record "$dir/programs" forks
report 0 $? "a child forked inside a task"
report 2 "$(count tasks)" "the parent's trace holds the parent's tasks"
"$check" "$dir/trace.winnow" >"$dir/output"
report 0 $? "and is whole"

record env OMP_NUM_THREADS=2 "$dir/programs" deep
report 0 $? "tasks nested 3000 deep"
report 3000 "$(count begun)" "all of them are seen"

record "$dir/programs" blocks
report 0 $? "argument blocks of any size and alignment reach their tasks"
report "$("$dir/programs" blocks)" "$(count begun)" "all of which are seen"

LD_PRELOAD=$recorder "$dir/host" "$dir/first.so"
report 0 $? "without a trace named, the program runs"
WINNOW_OUT=/nonexistent/x LD_PRELOAD=$recorder "$dir/host" "$dir/first.so"
report 0 $? "without a trace that can be written, the program runs"

libomp=$(ls /usr/lib/*/libomp.so.5 /usr/lib/llvm-*/lib/libomp.so.5 2>/dev/null | head -1)
if [ -n "$libomp" ]; then
	mkdir "$dir/alias"
	ln -s "$libomp" "$dir/alias/libgomp.so.1"
	LD_LIBRARY_PATH=$dir/alias record "$dir/host" "$dir/first.so"
	report 0 $? "libomp in libgomp's place is passed through"
else
	n=$((n + 1))
	echo "ok $n - libomp in libgomp's place # SKIP no libomp"
fi
echo "1..$n"
exit $failed
