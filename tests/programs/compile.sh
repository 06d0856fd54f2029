#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compile.sh KIND OUTPUT DEPFILE SOURCE [FLAG]... - compiles a program that tests record. The build calls it in the build
# folder (meson.build).
#
# KIND is a compiler and options, one word each: gcc, gcc-VERSION, clang-VERSION or clang stands for that family's compiler
# of the source's language (newer-gcc.sh finds gcc-VERSION), flang-VERSION for itself; opari-COMPILER instruments the source with OPARI2 first.
# Programs of clang are linked to the youngest libomp of BUILD/runtimes,
# because clang 19 and 22 call entry points that libomp 14 lacks; they also run on older ones where they do not use
# them.
#
# The output is an empty file where the program cannot be compiled: the compiler or the runtime is not installed, or
# the source says that it is not for this compiler. tools/run-tests.sh deletes empty ones, so that they are tried
# again. What a source says:
#
#     na SOURCE: REASON        not for this source (libgomp, ompt, pomp2) or compiler
#     COMPILERS: clang-VERSION only for clangs from that version on
#     FLAGS: FLAG...           further options
#     library: MACRO           part of it is a shared library: the same file, compiled with MACRO defined
#
# A file NAME.lib.c beside NAME.c is such a library too.
set -eu

build=$PWD toolchain=$(dirname "$0")/../../tools/toolchain.sh
kind=${1%% *} options=${1#"${1%% *}"} output=$build/$2 depfile=$build/$3 source=$(realpath "$4")
shift 4
compiler=${kind#opari-}
: > "$depfile"

leave_empty() {
	: > "$output"
	exit 0
}

said() {
	sed -n -E "s#^.*(//|!) $1: ##p" "$source"
}

case $source:$compiler in
*.f90:gcc) command=gfortran of=libgomp ;;
*.f90:clang* | *.c:flang*) leave_empty ;;
*:flang*) command=$compiler of=ompt ;;
*.c:gcc) command=gcc of=libgomp ;;
*:gcc-*) command=$("${0%/*}/newer-gcc.sh" "$compiler" "$source") || leave_empty; of=libgomp ;;
*:gcc) command=g++ of=libgomp ;;
*.c:clang*) command=$compiler of=ompt ;;
*:clang*) command=clang++${compiler#clang} of=ompt ;;
esac
command -v "$command" > /dev/null || leave_empty
case $compiler in
gcc*) version=0 ;;
*) version=$("$compiler" -dumpversion | sed 's/[^0-9].*//') ;;
esac
if [ "$kind" = "$compiler" ]; then
	[ -z "$(said "na $command(,[^:]*)?")" ] || leave_empty
	# what a clang does not know, older ones do not either
	if [ "$version" != 0 ]; then
		unknown_to=$(sed -n -E 's#^.*(//|!) na clang-([0-9]+)(,[^:]*)?: .*#\2#p' "$source" | sort -n | tail -n 1)
		[ "$version" -gt "${unknown_to:-0}" ] || leave_empty
	fi
else
	command -v opari2 > /dev/null || leave_empty
	of=pomp2
fi
[ -z "$(said "na $of")" ] || leave_empty
first=$(said COMPILERS | sed 's/^clang-//')
case $compiler in
gcc*) ;;
*) [ "$version" -ge "${first:-0}" ] || leave_empty ;;
esac

flags='-g -O1 -fopenmp'
case $compiler in
gcc) ;;
gcc-*)
	# its own libgomp, which may be younger than the one of the system
	flags="$flags -foffload=disable" # a compiler for devices may need more than is installed
	runtime=$($command -print-file-name=libgomp.so.1)
	[ ! -e "$runtime" ] || flags="$flags -Wl,-rpath,$(dirname "$(realpath "$runtime")")"
	;;
*)
	runtime=$("$toolchain" runtimes "$build/runtimes" | tail -n 1)
	[ -n "$runtime" ] || leave_empty
	# not every clang here has an omp.h
	headers=$(sed -n 's/^headers: *//p' "$build/toolchain.txt") folder=${output%/*}/libomp
	mkdir -p "$folder"
	for file in "$build/runtimes/$runtime/libomp.so.5" "$headers/omp.h" "$headers/omp-tools.h"; do
		name=${file##*/}
		name=$folder/${name%.5}
		[ -e "$name" ] || ln -s "$file" "$name" 2> /dev/null || [ -e "$name" ]
	done
	flags="-g -O1 -fopenmp=libomp -L$folder"
	[ "${source##*.}" = f90 ] || flags="$flags -idirafter $folder"
	;;
esac
flags="$flags $(said FLAGS) $options"
case $of:$source in
libgomp:*.f90 | ompt:*.f90) flags="$flags -cpp" ;;
esac
case $of:$source in
*:*.f90 | pomp2:*)
	# where module files go, and what OPARI2 writes
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	cd "$scratch"
	;;
*) flags="$flags -MMD -MF $depfile -MT ${output#"$build/"}" ;;
esac
[ "$of" != pomp2 ] || command="$build/winnow cc --opari -- $command"

# a part of the program that is a shared library
macro=$(said library) beside=${source%.c}.lib.c library=''
# shellcheck disable=SC2086
if [ -n "$macro" ]; then
	library=$output.so
	$command $flags "$@" -fPIC -shared "-D$macro" "$source" -o "$library"
elif [ -e "$beside" ]; then
	library=$output.so
	$command $flags "$@" -fPIC -shared "$beside" -o "$library"
fi
# shellcheck disable=SC2086
$command $flags -w "$source" -o "$output" $library "$@" -lm -ldl -pthread
