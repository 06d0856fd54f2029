#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build-programs.sh - compiles bench/programs and examples with one C compiler.
#
#   tools/build-programs.sh [--count] CC OUTDIR [FLAG...]
#
# CC       the compiler with its OpenMP option: "gcc -fopenmp", "clang-14 -fopenmp"
# OUTDIR   is made; gets NAME for each program, NAME.fixed for each example's fixed form
# --count  also NAME.count for each bench program: built with -DWN_COUNT
# FLAG     goes to every compilation, after the others: -O0, -I DIR, -L DIR, -Wl,-rpath,DIR
#
# The C++ example is built with the C++ compiler of the same name (or CXX), the Fortran one with
# gfortran (or FC, with its OpenMP option) when CC is a gcc; clang has no Fortran here.  What has no
# compiler is left out, and said so.  With clang, OMPLIB names a folder with libomp.so, for
# versions of clang that have none of their own.  Stops at the first error; warnings are errors
# with WERROR=1.

set -eu

usage() {
	sed -n 's/^# \{0,1\}//; 4,6p' "$0" >&2
	exit 2
}

count=no
if [ "${1-}" = --count ]; then
	count=yes
	shift
fi
[ $# -ge 2 ] || usage

cc=$1
out=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
programs=$root/bench/programs
examples=$root/examples
flags="-O2 -g -Wall -Wextra"
[ "${WERROR-0}" = 1 ] && flags="$flags -Werror"
c_flags="-std=c17 $flags -Wconversion"
cxx_flags="-std=c++17 $flags -Wconversion"
link=''
[ -n "${OMPLIB-}" ] && link="-L$OMPLIB -Wl,-rpath,$OMPLIB"

# Same version, other language: gcc-12 -> g++-12, clang-14 -> clang++-14.
compiler=${cc%% *}
options=${cc#"$compiler"}
case $compiler in
*clang*) cxx=$(printf '%s' "$compiler" | sed 's/clang/clang++/')$options fc='' ;;
*gcc*)
	cxx=$(printf '%s' "$compiler" | sed 's/gcc/g++/')$options
	fc=$(printf '%s' "$compiler" | sed 's/gcc/gfortran/')$options
	;;
*) cxx='' fc='' ;;
esac
cxx=${CXX-$cxx}
fc=${FC-$fc}

# Does this compiler command (its first word) exist?
have() {
	[ -n "$1" ] && command -v "${1%% *}" >/dev/null
}

mkdir -p "$out"

# The compiler commands and flag lists are lists of words.
# shellcheck disable=SC2086
build() {
	command=$1
	shift
	$command "$@" $link -lm
}

for source in "$programs"/*.c; do
	name=$(basename "$source" .c)
	build "$cc $c_flags" "$source" -o "$out/$name" "$@"
	if [ $count = yes ]; then
		build "$cc $c_flags" -DWN_COUNT "$source" -o "$out/$name.count" "$@"
	fi
done

for source in "$examples"/*.c; do
	name=$(basename "$source" .c)
	build "$cc $c_flags" "$source" -o "$out/$name" "$@"
	build "$cc $c_flags" -DFIXED "$source" -o "$out/$name.fixed" "$@"
done

if have "$cxx"; then
	build "$cxx $cxx_flags" "$examples/particles.cpp" -o "$out/particles" "$@"
	build "$cxx $cxx_flags" -DFIXED "$examples/particles.cpp" -o "$out/particles.fixed" "$@"
else
	echo "build-programs: no C++ compiler for $compiler; particles left out" >&2
fi

if have "$fc"; then
	# Module files go where the program goes.
	build "$fc $flags" -cpp "-J$out" "$examples/pipeline.f90" -o "$out/pipeline" "$@"
	build "$fc $flags" -cpp "-J$out" -DFIXED "$examples/pipeline.f90" -o "$out/pipeline.fixed" "$@"
else
	echo "build-programs: no Fortran compiler for $compiler; pipeline left out" >&2
fi
