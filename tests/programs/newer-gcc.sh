#!/bin/sh
# SPDX-License-Identifier: MIT
#
# newer-gcc.sh                  prints the kinds of programs for the newer GCCs that are installed, one a line: each with
#                               the options to try
# newer-gcc.sh gcc-N [SOURCE]   prints the command of that GCC's compiler of the source's language; fails if there is none
#
# A snapshot of an unreleased GCC, which Debian installs beside the others, counts as the GCC that it will be. GCC 16 and
# later make one function of tasks with the same code, and so one place; with -fno-ipa-icf they do not.
set -eu

snapshot=/usr/lib/gcc-snapshot/bin

# gcc, g++ or gfortran; version
find_compiler() {
	if command -v "$1-$2"; then
		return 0
	fi
	[ "$("$snapshot/$1" -dumpversion 2> /dev/null | cut -d. -f1)" = "$2" ] && echo "$snapshot/$1"
}

if [ $# -gt 0 ]; then
	case ${2:-.c} in
	*.f90) find_compiler gfortran "${1#gcc-}" ;;
	*.c) find_compiler gcc "${1#gcc-}" ;;
	*) find_compiler g++ "${1#gcc-}" ;;
	esac
	exit
fi
for version in 14 15 16 17; do
	find_compiler gcc "$version" > /dev/null || continue
	for level in '' ' -fopenmp-ompt=basic' ' -fopenmp-ompt=extended'; do
		[ "$version" -ge 17 ] || [ -z "$level" ] || continue
		echo "gcc-$version -O0$level"
		echo "gcc-$version -O2 -fno-ipa-icf$level"
	done
done
