#!/bin/bash
# SPDX-License-Identifier: MIT
#
# loops.sh BUILD LOOPS COMPILER - random worksharing loops of every schedule, by COMPILER (gcc, gfortran,
# clang-14, ...), with the plug-in and without, on each runtime that there is for it: the loop and chunk
# events of ompt-grain.h are what the loops themselves have logged (loops/check.c).
# Of the programs, forty loops each, two run, others for each choice (tests/tap.bash). WN_SEED: the first seed;
# WN_LOOPS instead of LOOPS; either runs all. TAP.
set -u
loops=${WN_LOOPS:-$2} compiler=$3
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

per_program=40
[ -z "${WN_SEED:-}${WN_LOOPS:-}" ] || WN_CHOICE=all
seed=${WN_SEED:-1}
write=$build/tests/provide/loops-write
command -v "$compiler" > /dev/null || skip_all "no $compiler"
[[ $compiler != clang* ]] || [ -e "$runtimes/$newest_libomp/libomp.so.5" ] ||
	skip_all "no runtimes: tools/fetch-runtimes.sh $runtimes"
how=(plain)
WN_GFORTRAN=$(gfortran -dumpversion 2> /dev/null | sed 's/[^0-9].*//')
export WN_GFORTRAN
! "$build/winnow" cc --flags "$compiler" > /dev/null 2>&1 || how+=(plug-in)
cd "$work" || exit 1
mkdir -p link
ln -sf "$runtimes/$newest_libomp/libomp.so.5" link/libomp.so
for version in $libomps; do # for programs of gcc
	mkdir -p "gcc-$version" && ln -sf "$runtimes/$version/libomp.so.5" "gcc-$version/libgomp.so.1"
done
support=("-I$here/loops" "-I$here/../../include" -idirafter "$libomp_headers" -O1 -g -Wall -Wextra -Werror)
gcc "${support[@]}" -fPIC -shared "$here/loops/tool.c" -o libtool.so &&
	gcc "${support[@]}" "-DLAST_IS_LOST=$([[ $compiler != clang* ]]; echo $?)" -c "$here/loops/check.c" -o check.o || exit 1

# What the tool is told here (loops/check.c)
words() { # plain|plug-in RUNTIME
	case $compiler,$1,$2 in
	g*,plain,libgomp) echo called,handed,auto ;;
	g*,plug-in,libgomp) echo called,handed,auto,static,live,user ;;
	g*,plain,*) echo auto ;; # libomp's GOMP layer is not stood before
	g*,plug-in,*) echo auto,static,live,user ;;
	clang*,plain,*) echo called,static,whole ;;
	clang*,plug-in,*) echo called,static,live,user,whole ;;
	esac
}

# The program of a seed, as ./program
make_program() { # SEED plain|plug-in RUNTIME
	local language=c suffix=c command=("$compiler") flags=(-fopenmp -rdynamic "-O$(($1 % 3))")
	[ "$compiler" != gfortran ] || language=f90 suffix=f90 flags+=(-ffree-line-length-none)
	[ "$compiler" != gcc ] || [ "$3" = libgomp ] || language=c-llvm
	[[ $compiler != clang* ]] || flags+=(-Llink -Wno-everything)
	[ "$2" = plain ] || command=("$build/winnow" cc -- "$compiler")
	"$write" "$1" $per_program $language program > "loops.$suffix" &&
		"$write" "$1" $per_program $language facts > facts.c &&
		gcc "${support[@]}" -c facts.c -o facts.o &&
		"${command[@]}" "${flags[@]}" "loops.$suffix" check.o facts.o -o program 2> compile.log
}

export OMP_DYNAMIC=false OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
runs_on() { # plain|plug-in RUNTIME SEED
	use_runtime "$2"
	[[ $compiler == clang* ]] || [ "$2" = libgomp ] || LD_LIBRARY_PATH=$work/gcc-$2
	timeout -k 5 60 ./program > plain.txt 2> /dev/null || why "seed $3, $2: it fails by itself: $? $(tail -n 1 plain.txt)"
	TOLD=$(words "$1" "$2") LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$work/libtool.so \
		timeout -k 5 60 ./program > told.txt 2> counts.txt || why "seed $3, $2: $? $(grep -m 3 wrong: told.txt)"
	cmp -s plain.txt told.txt || why "seed $3, $2: it prints something else"
	read -r _ _ _ told _ chunks _ iterations _ < <(grep ' loops, told ' counts.txt) && all_told=$((all_told + told)) \
		all_chunks=$((all_chunks + chunks)) all_iterations=$((all_iterations + iterations))
	unset LD_LIBRARY_PATH
}

# Those that a compiler's programs run on; the youngest clangs call what older ones lack.
case $compiler in
"$oldest_clang") runtimes_here=("$libomps") ;;
clang*) runtimes_here=("$newest_libomp") ;;
*) runtimes_here=(libgomp "$libomps") ;;
esac

check() { # plain|plug-in RUNTIME...
	local kind=$1 runtime i n_programs=0
	all_told=0 all_chunks=0 all_iterations=0
	shift
	for i in $(some_of "loops $compiler $kind $*" 2 $(((loops + per_program - 1) / per_program))); do
		n_programs=$((n_programs + 1))
		if ! make_program $((seed + i)) "$kind" "$1"; then
			why "seed $((seed + i)): $(grep -m 1 -E 'error|Error' compile.log)"
			continue
		fi
		for runtime in "$@"; do
			[ "$runtime" = libgomp ] || [ -e "$runtimes/$runtime/libomp.so.5" ] || continue
			runs_on "$kind" "$runtime" $((seed + i))
		done
	done
	verdict "$compiler, $kind, on $*: $((n_programs * per_program)) loops, told $all_told times, $all_chunks chunks, $all_iterations iterations"
}

for kind in "${how[@]}"; do
	for group in "${runtimes_here[@]}"; do
		# shellcheck disable=SC2086
		if [ "$group" = libgomp ] || [ -e "$runtimes/$newest_libomp/libomp.so.5" ]; then
			check "$kind" $group
		fi
	done
done
done_testing
