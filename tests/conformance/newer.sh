#!/bin/bash
# SPDX-License-Identifier: MIT
#
# newer.sh [--gcc | --clang | --gcc,clang] BUILD WORK [PROGRAM...] - every construct, compiled by each newer GCC that is
# installed (tests/programs/newer-gcc.sh), and by each clang and flang from 20 on, whose programs run on the libomp of that
# version in WORK/build/runtimes, or on the next one there; recorded by the winnow of BUILD on 1, 2 or 4 threads (covering in
# tests/tap.bash). Unlike run.sh it needs nothing else of the build, and compiles the programs itself:
# tools/try-compilers.sh runs it in a root of its own. WORK/cells.tsv is what table.sh takes; TAP.
set -u

families=gcc,clang
if [[ ${1:-} == --* ]]; then
	families=${1#--}
	shift
fi
build=$(realpath "$1")
mkdir -p "$2/build/tests/programs"
work=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
[ $# -gt 0 ] || set -- "$here"/programs/*.c "$here"/programs/*.f90
ln -sfn "$build/winnow" "$work/build/winnow"
toolchain=$here/../../tools/toolchain.sh
llvm_columns() { # clang or flang
	local version runtime
	for version in $(compgen -c "$1-" | sed -n "s/^$1-\([0-9]*\)\$/\1/p" | sort -nu); do
		runtime=$("$toolchain" runtimes "$work/build/runtimes" | awk -v v="$version" '$1 >= v' | head -n 1)
		[ "$version" -lt 20 ] || [ -z "$runtime" ] || echo "$1-$version,libomp-$runtime"
	done
}
gccs=() clangs=() flangs=()
[[ $families != *gcc* ]] || mapfile -t gccs < <("$here/../programs/newer-gcc.sh" | tr ' ' ,)
[[ $families != *clang* ]] || mapfile -t clangs < <(llvm_columns clang)
[[ $families != *clang* ]] || mapfile -t flangs < <(llvm_columns flang)
if [ $((${#gccs[@]} + ${#clangs[@]})) -eq 0 ]; then
	echo "1..0 # SKIP no newer compiler is installed"
	exit 0
fi
echo "headers: $("$toolchain" headers)" > "$work/build/toolchain.txt"

# Compiles a program, and runs the cell.
cell() { # work, here, program, COLUMN and numbers of threads
	local program=${3%%:*} name=${3##*[/:]} column=${4%% *} kind file at link
	at=$1/build-$name # the programs of one file are compiled side by side
	mkdir -p "$at/tests/programs"
	for link in winnow runtimes toolchain.txt; do
		ln -sfn "$1/build/$link" "$at/$link"
	done
	kind=${column%%,libomp-*}
	file=conformance-${program##*/}.${kind//,/}
	file=tests/programs/${file//=/-} # env takes a name with "=" for a variable
	[[ $program != *.f90 ]] || column=${column/gcc/gfortran}
	(cd "$at" && "$2/../programs/compile.sh" "$(tr , ' ' <<< "$kind")" "$file" "$file.d" "$program" "-I$2") \
		> "$1/$name.log" 2>&1 || rm -f "$at/$file"
	# shellcheck disable=SC2086
	"$2/cell.sh" "$at" "$1" "$column" "$3" ${4#* }
	rm -f "$at/$file"
}
export -f cell
for file; do
	programs_in "$file" | sed "s#^#$(realpath "$file"):#; s/:\$//"
done | while read -r program; do
	columns="${gccs[*]}"
	if [[ $program == *.f90* ]]; then columns+=" ${flangs[*]}"; else columns+=" ${clangs[*]}"; fi
	covering "newer ${program##*[/:]}" "$columns" "1 2 4" | sed "i $program"
# a program, then column and numbers of threads
done | xargs -d '\n' -n 2 -P "${WN_JOBS:-$(nproc)}" bash -c 'cell "$0" "$1" "$2" "$3"' "$work" "$here" > "$work/cells.part"
sort -t "$(printf '\t')" -k2,3 "$work/cells.part" > "$work/cells.tsv"

while IFS=$'\t' read -r result construct column detail; do
	case $result in
	wrong) result "$construct, $column" "$detail" ;;
	none) say ok "$construct, $column # SKIP $detail" ;;
	*) say ok "$construct, $column: $result${detail:+ ($detail)}" ;;
	esac
done < "$work/cells.tsv"
done_testing
