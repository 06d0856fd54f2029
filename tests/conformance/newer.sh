#!/bin/bash
# SPDX-License-Identifier: MIT
#
# newer.sh BUILD WORK [PROGRAM...] - every construct, compiled by each newer GCC that is installed (tests/programs/
# newer-gcc.sh), recorded by the winnow of BUILD on 1, 2 or 4 threads
# (covering in tests/tap.bash). Unlike run.sh it needs nothing else of the build,
# and compiles the programs itself: tools/try-compilers.sh runs it in a root of its own. WORK/cells.tsv is what table.sh
# takes; TAP.
set -u

build=$(realpath "$1")
mkdir -p "$2/build/tests/programs"
work=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
[ $# -gt 0 ] || set -- "$here"/programs/*.c "$here"/programs/*.f90
ln -sfn "$build/winnow" "$work/build/winnow"
mapfile -t kinds < <("$here/../programs/newer-gcc.sh" | tr ' ' ,)
if [ ${#kinds[@]} -eq 0 ]; then
	echo "1..0 # SKIP no newer gcc is installed"
	exit 0
fi

# Compiles a program, and runs the cell.
cell() { # work, here, program, KIND,OPTION,... and numbers of threads
	local name=${3##*/} column=${4%% *} file
	file=conformance-$name.${column//,/}
	file=tests/programs/${file//=/-} # env takes a name with "=" for a variable
	[[ $name != *.f90 ]] || column=${column/gcc/gfortran}
	(cd "$1/build" && "$2/../programs/compile.sh" "$(tr , ' ' <<< "${4%% *}")" "$file" "$file.d" "$3" "-I$2") \
		> "$1/$name.log" 2>&1 || rm -f "$1/build/$file"
	# shellcheck disable=SC2086
	"$2/cell.sh" "$1/build" "$1" "$column" "$3" ${4#* }
	rm -f "$1/build/$file"
}
export -f cell
for program; do
	program=$(realpath "$program")
	covering "newer ${program##*/}" "${kinds[*]}" "1 2 4" | sed "i $program"
# a program, then kind and numbers of threads
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
