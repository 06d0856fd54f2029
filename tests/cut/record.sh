#!/bin/bash
# SPDX-License-Identifier: MIT
#
# record.sh BUILD FOLDER KIND PROGRAM - leaves a recording of a program of one kind, which it compiles if the build does
# not (tests/programs), in FOLDER; of a file of several programs one of each, or of PROGRAM:NAME that one. None where the
# compiler, the runtime or the program cannot do it. KIND is COMPILER:RUNTIME, RUNTIME 0 for libgomp, else the version of libomp; `opari-gcc` is `winnow cc --opari -- gcc`, `grain-`
# records by OMPT and its extension alone. A file support.c beside the program's folder is part of it.
set -u
build=$1 folder=$2 kind=$3 program=${4%%:*}
only=${4#"$program"}
only=${only#:}
compiler=${kind%:*} runtime=${kind#*:}
suite=$(dirname "$(dirname "$program")")
name=$(basename "$suite")-$(basename "$program" .c)
all=$folder/${compiler}-$runtime-$name
place=$all${only:+-$only}
source=auto
case $compiler in
opari-*) command=("$build/winnow" cc --opari -- "${compiler#opari-}") ;;
grain-*) command=("${compiler#grain-}") source=ompt-grain ;;
*) command=("$compiler") ;;
esac
command -v "${command[0]}" > /dev/null || exit 0
[ "${compiler#opari-}" = "$compiler" ] || command -v opari2 > /dev/null || exit 0

mkdir -p "$place.work"
trap 'rm -rf "$place.work"' EXIT
cd "$place.work" || exit 1
# not those of which a part is a library
! grep -q -E '^(//| \* //) library: ' "$program" || exit 0
flags=(-g -O1 -fopenmp -w "-I$suite" "-I$(dirname "$program")" "-I$suite/../../include" "-I$suite/../../../include")
# shellcheck source-path=SCRIPTDIR source=../here.bash
. "$suite/../here.bash"
# shellcheck source-path=SCRIPTDIR source=../programs/several.bash
. "${0%/*}/../programs/several.bash"
# not every clang here has an omp.h
[ "$runtime" = 0 ] || flags+=(-fopenmp=libomp -idirafter "$libomp_headers" "-L$folder/link")
sources=("$program")
[ ! -e "$suite/support.c" ] || sources+=("$suite/support.c")
compiled=$build/tests/programs/$name.c.${compiler#grain-}
if [ -e "$compiled" ]; then
	[ -s "$compiled" ] || exit 0
	ln -s "$compiled" program
else
	"${command[@]}" "${flags[@]}" "${sources[@]}" -o program -lm 2> compile.log || exit 0
fi

[ "$runtime" = 0 ] || export LD_LIBRARY_PATH=$build/runtimes/$runtime
while read -r one; do
	mapfile -t environment < <(remarks_of "$program" "$one" | sed -n -E 's#^// env: ##p')
	# shellcheck disable=SC2086 # no word where a file has one program
	timeout 20 env OMP_NUM_THREADS="${WN_CUT_THREADS:-4}" OMP_DYNAMIC=false OMP_WAIT_POLICY=passive \
		OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=3 "${environment[@]}" \
		"$build/winnow" record --source "$source" -o "$all${one:+-$one}.winnow" ./program $one > out.txt 2> talk.txt < /dev/null
done < <(programs_in "$program" | grep -x "${only:-.*}")
exit 0
