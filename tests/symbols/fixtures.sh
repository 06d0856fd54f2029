#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fixtures.sh SOURCES OUTPUT - compiles the fixtures with every compiler that is here into a folder
# beside OUTPUT, and writes to OUTPUT one line for each: the source, a tab, the file. Nothing here
# is run. A file whose name holds "nolines" has no line information, "stripped" no symbol table.
set -eu
sources=$(cd "$1" && pwd)
output=$2
folder=$(dirname "$output")/symbol-fixtures
rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
: >"$output.part"

# build NAME SOURCE COMPILER FLAGS...: a shared object, so that no OpenMP runtime is needed.
build() {
	name=$1 source=$sources/$2 compiler=$3
	shift 3
	command -v "$compiler" >/dev/null || return 0
	"$compiler" -fopenmp -fPIC "$@" -c "$source" -o "$folder/$name.o" 2>/dev/null || return 0
	"$compiler" -shared -nostdlib -Wl,--build-id "$@" "$folder/$name.o" -o "$folder/$name" 2>/dev/null || return 0
	rm -f "$folder/$name.o"
	printf '%s\t%s\n' "$source" "$folder/$name" >>"$output.part"
}

for level in 0 1 2 3; do
	build "c-gcc-O$level" tasks.c gcc -g "-O$level"
	build "cpp-gcc-O$level" loops.cpp g++ -g "-O$level"
	build "f-gcc-O$level" work.f90 gfortran -g "-O$level" -J "$folder"
done
for version in 14 19 22; do
	for level in 0 2; do
		build "c-clang$version-O$level" tasks.c "clang-$version" -g "-O$level"
		build "cpp-clang$version-O$level" loops.cpp "clang++-$version" -g "-O$level"
	done
	build "c-clang$version-dwarf4" tasks.c "clang-$version" -gdwarf-4 -O2
done
build c-gcc-dwarf4 tasks.c gcc -gdwarf-4 -O2
build c-gcc-compressed tasks.c gcc -g -gz -O2
build c-gcc-split tasks.c gcc -g -gsplit-dwarf -O2
build c-gcc-nolines tasks.c gcc -O2
build c-gcc-fixed-address tasks.c gcc -g -O2 -Wl,-Ttext-segment=0x400000

# The debug information in a file of its own, found by .gnu_debuglink, and thrown away.
if [ -f "$folder/c-gcc-O2" ] && command -v objcopy >/dev/null; then
	cd "$folder"
	objcopy --only-keep-debug c-gcc-O2 c-gcc-linked.debug
	objcopy --strip-all --add-gnu-debuglink=c-gcc-linked.debug c-gcc-O2 c-gcc-linked
	objcopy --strip-all c-gcc-O2 c-gcc-stripped-nolines
	cd - >/dev/null
	printf '%s\t%s\n' "$sources/tasks.c" "$folder/c-gcc-stripped-nolines" >>"$output.part"
	printf '%s\t%s\n' "$sources/tasks.c" "$folder/c-gcc-linked" >>"$output.part"
fi
mv "$output.part" "$output"
