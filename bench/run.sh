#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh [OPTION]... - what recording and analysing costs, against the reference tools of
# bench/tools, and whether the bars of doc/performance.md hold.
#
#   --quick          fewer programs and rounds; under 90 seconds
#   --build DIR      where winnow was built (default build)
#   --rounds N       rounds that count (default 5, quick 3)
#   --only WORD      only programs and runtimes whose label has WORD in it
#   --csv FILE       keep the samples there
#   --libomp DIR     run the clang programs on the libomp.so.5 in DIR
#   --no-analysis    only recording
#   --no-cost        without what the provider of OMPT and counters cost (cost.sh, counters.sh)
#   --help           this text
#
# Programs are built by clang (the first of clang-14, clang-19, clang-22, clang that is there and can
# link OpenMP) and by gcc. All runs of one program are interleaved; see measure.c.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build quick=no rounds='' only='' csv='' libomp='' analysis=yes cost=yes
values='build/ rounds only csv libomp/' switches='quick:quick=yes no-analysis:analysis=no no-cost:cost=no'
# shellcheck source=bench/tools/options.sh
. "$here/tools/options.sh"
[ -n "$rounds" ] || rounds=$([ $quick = yes ] && echo 3 || echo 5)

recorder=$build/libwinnow-record.so
provider=$build/libwinnow-ompt.so
winnow=$build/winnow
if [ ! -e "$recorder" ] || [ ! -x "$winnow" ]; then
	echo "run.sh: $build: no winnow there; run make first" >&2
	exit 1
fi
work=$build/bench
scratch=$work/scratch
rm -rf "$scratch"
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT
samples=$work/samples.csv
: > "$samples"

warn="-std=gnu17 -O2 -g -Wall -Wextra"
# The lists of flags are lists of words.
# shellcheck disable=SC2086
build_helpers() {
	cc $warn "$here/measure.c" -o "$work/measure"
	cc $warn "$here/bars.c" -o "$work/bars"
	for kind in EMPTY RING FLOOR FILE; do
		name=$(echo $kind | tr '[:upper:]' '[:lower:]')
		cc $warn -D_GNU_SOURCE -fPIC -shared -DKIND=KIND_$kind "$here/tools/gomp_tool.c" \
			-o "$work/gomp_$name.so" -ldl
	done
	cc $warn -fPIC -shared "$here/tools/pomp2_ids.c" -o "$work/pomp2_ids.so"
	[ -n "$omp_tools" ] || return 0
	for kind in NULL EMPTY RING FLOOR FILE; do
		name=$(echo $kind | tr '[:upper:]' '[:lower:]')
		cc $warn -D_GNU_SOURCE -fPIC -shared -DKIND=KIND_$kind -idirafter "$omp_tools" \
			"$here/tools/ompt_tool.c" -o "$work/$name.so"
	done
}

can_link() {
	command -v "$1" > /dev/null &&
		echo 'int main(void) { return 0; }' |
		"$1" -fopenmp -x c - -o "$scratch/probe" ${libomp:+-L"$libomp"} 2> /dev/null
}

find_clang() {
	for candidate in $("$root/tools/toolchain.sh" clangs); do
		if can_link $candidate; then
			echo $candidate
			return
		fi
	done
}

clang=$(find_clang)
omp_tools=$(find /usr/lib/llvm-* /usr/lib/clang /usr/include -name omp-tools.h 2> /dev/null |
	head -1)
omp_tools=${omp_tools%/*}
build_helpers

# --- what ran, for whoever reads the figures -------------------------------------------------

describe_libomp() {
	path=$(ldd "$1" | sed -n 's/.*libomp.so.5 => \([^ ]*\).*/\1/p')
	path=$(readlink -f "$path")
	kind=release
	# a variable that only builds with debug assertions read
	if grep -q KMP_D_DEBUG "$path"; then
		kind="built with debug assertions"
	fi
	echo "$path ($kind)"
}

describe() {
	echo "machine   $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs," \
		"Linux $(uname -r), load $(cut -d ' ' -f 1-3 /proc/loadavg)"
	echo "traces    on $(df --output=fstype "$scratch" | tail -1)"
	echo "winnow    $("$winnow" --version 2> /dev/null | head -1), $build"
	echo "rounds    $rounds, interleaved; one more before them is not counted"
}

# --- programs --------------------------------------------------------------------------------
#
# label, threads, counted how (tasks or chunks), command. The first have grains so small that
# recording shows; the grains of the others take 1 to 400 us. Loops are run by two threads: a team
# of one is handed the whole range at once.

plan() {
	if [ $quick = yes ]; then
		cat <<- 'END'
			fib 1 tasks fib 24 24
			fib 2 tasks fib 24 24
			nqueens 2 tasks nqueens 9 9
			sort 2 tasks sort 262144 64 64
			strassen 2 tasks strassen 256 8
			loops 2 chunks loops dynamic,1 100000 --work=40
		END
		return
	fi
	cat <<- 'END'
		fib 1 tasks fib 27 27
		fib 2 tasks fib 27 27
		nqueens 1 tasks nqueens 10 10
		nqueens 2 tasks nqueens 10 10
		sort-64 2 tasks sort 1048576 64 64
		health 1 tasks health 5 4 60 5
		health 2 tasks health 5 4 60 5
		sparselu-8 2 tasks sparselu 100 8
		uts-tiny 2 tasks uts 4000 --work=10 --q=490
		strassen-16 2 tasks strassen 512 8
		sort-2048 2 tasks sort 4194304 2048 2048
		fft 2 tasks fft 524288 1024
		alignment 2 tasks alignment 40 400
		loops-tiny 2 chunks loops dynamic,1 100000 --work=40
		loops-4 2 chunks loops dynamic,4 20000 --work=2000
	END
}

# How many tasks, or chunks, a command has: the program counts for itself. Needs no tool.
count() {
	counted=$1
	shift
	WN_COUNT_FILE=$scratch/count "$@" > /dev/null
	if [ "$counted" = tasks ]; then
		echo "$(sed -n 's/^explicit_tasks //p' "$scratch/count") 0"
	else
		echo "0 $(grep -c ^chunk "$scratch/count")"
	fi
}

make_programs() {
	runtime=$1
	programs=$2
	plan | while read -r label threads counted name arguments; do
		case $label/$runtime in *"$only"*) ;; *) continue ;; esac
		export OMP_NUM_THREADS="$threads"
		# shellcheck disable=SC2086
		n=$(count "$counted" "$programs/$name.count" $arguments)
		echo "$label/$threads/$runtime $n OMP_NUM_THREADS=$threads" \
			"${libomp:+LD_LIBRARY_PATH=$libomp}" "$programs/$name" "$arguments"
	done
}

# One region, as many threads as there can be, each with one loop.
make_memory_programs() {
	programs=$1
	# shellcheck disable=SC2194
	case threads/ in *"$only"*) ;; *) return ;; esac
	for n in 2 34; do
		echo "threads/$n 0 1 OMP_NUM_THREADS=$n OMP_WAIT_POLICY=passive" \
			"${libomp:+LD_LIBRARY_PATH=$libomp}" "$programs/loops dynamic,1 20000 --work=100"
	done
}

# As users type it: launcher, program, closing line.
command_words="+$winnow +record +-o +%o +--"

record_tools="WINNOW_OUT=%o WINNOW_BACK=/dev/null"

omp_tool_list() {
	echo "plain WN_BENCH=1"
	if [ $quick = no ]; then
		echo "again WN_BENCH=1"
		echo "empty OMP_TOOL_LIBRARIES=$work/empty.so"
		echo "floor OMP_TOOL_LIBRARIES=$work/floor.so"
		echo "loaded LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder"
	fi
	echo "ring OMP_TOOL_LIBRARIES=$work/ring.so"
	echo "file OMP_TOOL_LIBRARIES=$work/file.so BENCH_OUT=%o"
	echo "winnow LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder $record_tools"
	echo "command $command_words"
}

gomp_tool_list() {
	echo "plain WN_BENCH=1"
	if [ $quick = no ]; then
		echo "again WN_BENCH=1"
		echo "empty LD_PRELOAD=$work/gomp_empty.so"
		echo "floor LD_PRELOAD=$work/gomp_floor.so"
		echo "loaded LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder"
		# OMPT on libgomp: without a tool, with one that sets nothing, with empty callbacks
		echo "served LD_PRELOAD=$provider"
		echo "served-null LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$work/null.so"
		echo "served-empty LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$work/empty.so"
		echo "served-ring LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$work/ring.so"
	fi
	echo "ring LD_PRELOAD=$work/gomp_ring.so"
	echo "file LD_PRELOAD=$work/gomp_file.so BENCH_OUT=%o"
	echo "winnow LD_PRELOAD=$recorder OMP_TOOL_LIBRARIES=$recorder $record_tools"
	echo "command $command_words"
}

# measure TOOLS PROGRAMS: adds to the samples
run() {
	if [ -s "$2" ]; then
		"$work/measure" "$3" "$scratch" "$1" "$2" >> "$samples"
	fi
}

describe
if [ -n "$clang" ] && [ -n "$omp_tools" ]; then
	"$root/tools/build-programs.sh" --count "$clang -fopenmp" "$work/clang" \
		${libomp:+-L"$libomp"} 2> /dev/null
	[ -z "$libomp" ] || export LD_LIBRARY_PATH="$libomp"
	echo "libomp    $clang, $(describe_libomp "$work/clang/fib")"
	make_programs libomp "$work/clang" > "$scratch/programs"
	unset LD_LIBRARY_PATH
	omp_tool_list > "$scratch/tools"
	run "$scratch/tools" "$scratch/programs" "$rounds"
else
	echo "libomp    no clang with OpenMP, or no omp-tools.h: not measured"
fi

"$root/tools/build-programs.sh" --count "gcc -fopenmp" "$work/gcc" 2> /dev/null
echo "libgomp   gcc $(gcc -dumpfullversion)," \
	"$(readlink -f "$(ldd "$work/gcc/fib" | sed -n 's/.*libgomp.so.1 => \([^ ]*\).*/\1/p')")"
make_programs libgomp "$work/gcc" > "$scratch/programs"
gomp_tool_list > "$scratch/tools"
run "$scratch/tools" "$scratch/programs" "$rounds"

# --- instrumented by OPARI2 -------------------------------------------------------------------
#
# The artificial benchmark of Lorenz et al.: near-empty tasks, so that only managing them shows.

instrumented_tool_list() {
	echo "plain WN_BENCH=1"
	echo "silent @$work/opari/empty"
	echo "ids LD_PRELOAD=$work/pomp2_ids.so @$work/opari/empty"
	echo "winnow LD_PRELOAD=$recorder $record_tools @$work/opari/empty"
}

if ! command -v opari2 > /dev/null; then
	echo "pomp2     no opari2: not measured"
else
	mkdir -p "$work/opari"
	"$winnow" cc --opari -- gcc -std=c17 -O2 -g -fopenmp "$here/programs/empty.c" \
		-o "$work/opari/empty" -lm
	tasks=$([ $quick = yes ] && echo 1000000 || echo 4000000)
	for threads in 1 2; do
		case empty/$threads/pomp2 in *"$only"*) ;; *) continue ;; esac
		echo "empty/$threads/pomp2 $tasks 0 OMP_NUM_THREADS=$threads $work/gcc/empty $tasks"
	done > "$scratch/programs"
	instrumented_tool_list > "$scratch/tools.pomp2"
	run "$scratch/tools.pomp2" "$scratch/programs" "$rounds"
fi

libomp=''
make_memory_programs "$work/gcc" > "$scratch/programs"
sed -n '/^plain/p; /^winnow/p' "$scratch/tools" > "$scratch/tools.memory"
run "$scratch/tools.memory" "$scratch/programs" 3

# --- analysis --------------------------------------------------------------------------------

# A trace of about N tasks, then its report, `rounds` times.
measure_report() {
	n=$1
	label=$2
	WINNOW_OUT=$scratch/$label.winnow WINNOW_BACK=/dev/null LD_PRELOAD=$recorder \
		OMP_NUM_THREADS=2 "$work/gcc/fib" "$n" "$n" > /dev/null
	tasks=$(count tasks "$work/gcc/fib.count" "$n" "$n")
	echo "plain WN_BENCH=1" > "$scratch/tools"
	echo "report/$label $tasks $winnow report $scratch/$label.winnow" > "$scratch/programs"
	run "$scratch/tools" "$scratch/programs" "$3"
	rm -f "$scratch/$label.winnow"
}

# Reports of N and of 2N tasks with dependences on as many places, or twice as many, in turn.
measure_growth() {
	label=$1 n=$2 places=$3
	[ "$label" = many ] && factor=2 || factor=1
	for size in 1 2; do
		WINNOW_OUT=$scratch/depend.$size WINNOW_BACK=/dev/null LD_PRELOAD=$recorder \
			OMP_NUM_THREADS=2 "$work/gcc/depend" $((n * size)) \
			$((places * (size == 2 ? factor : 1))) > /dev/null
		printf '#!/bin/sh\nexec "%s" report "%s"\n' "$winnow" "$scratch/depend.$size" \
			> "$scratch/report.$size"
		chmod +x "$scratch/report.$size"
	done
	printf 'plain @%s\ntwice @%s\n' "$scratch/report.1" "$scratch/report.2" > "$scratch/tools"
	echo "linear/$label-$n $n 0 $winnow" > "$scratch/programs"
	run "$scratch/tools" "$scratch/programs" "$4"
	rm -f "$scratch"/depend.? "$scratch"/report.?
}

# Folding into groups: time and memory, on one thread and on two.
measure_fold() {
	if [ ! -e "$build/libwinnow.a" ]; then
		echo "run.sh: $build/libwinnow.a: not there; folding is not measured" >&2
		return
	fi
	# shellcheck disable=SC2086
	cc $warn -D_GNU_SOURCE -I"$root" -I"$root/src" -I"$root/include" "$here/fold.c" \
		"$root/tests/property/forest.c" "$root/tests/property/program.c" \
		"$build/libwinnow.a" -lm -lpthread -o "$work/fold"
	echo
	if [ $quick = yes ]; then
		"$work/fold" 1000000 3
	else
		"$work/fold" 10000000 "$rounds"
	fi
}

# Summaries of ranks: bytes of each, and CPU time of merging them; CPU time of matching messages.
measure_ranks() {
	if [ ! -e "$build/libwinnow.a" ]; then
		echo "run.sh: $build/libwinnow.a: not there; ranks are not measured" >&2
		return
	fi
	# shellcheck disable=SC2086
	cc $warn -D_GNU_SOURCE -I"$root" -I"$root/src" -I"$root/include" "$here/ranks.c" "$root/tests/ranks/synthetic.c" \
		"$build/libwinnow.a" -ljansson -ldeflate -lexpat -ldw -lelf -lz -lm -ldl -lpthread -o "$work/ranks"
	echo
	"$work/ranks" 10000 "$scratch"
	"$work/ranks" --match 10 30 100 300 1000
	[ $quick = yes ] || "$work/ranks" 100000 "$scratch"
}

# run.grains of recordings: bytes for each grain, and CPU time of making it.
measure_grains() {
	if [ ! -e "$build/libwinnow.a" ]; then
		echo "run.sh: $build/libwinnow.a: not there; run.grains is not measured" >&2
		return
	fi
	# shellcheck disable=SC2086
	cc $warn -D_GNU_SOURCE -I"$root" -I"$root/src" -I"$root/include" "$here/grains.c" "$root/tests/view/grains_file.c" \
		"$build/libwinnow.a" -ljansson -ldeflate -lexpat -ldw -lelf -lz -lm -ldl -lpthread -o "$work/grains"
	echo
	for arguments in "$@"; do
		program=${arguments%% *}
		# shellcheck disable=SC2086 # a program and its arguments
		WINNOW_OUT=$scratch/$program.winnow WINNOW_BACK=/dev/null LD_PRELOAD=$recorder \
			OMP_NUM_THREADS=2 "$work/gcc/"$arguments > /dev/null
		"$work/grains" "$scratch/$program.winnow"
		rm -f "$scratch/$program.winnow"
	done
}

if [ $analysis = yes ]; then
	# shellcheck disable=SC2194
	case report/ in *"$only"*)
		if [ $quick = yes ]; then
			measure_report 25 fib-25 1
		else
			measure_report 28 fib-28 3
			measure_report 33 fib-33 1
		fi
		;;
	esac
	# shellcheck disable=SC2194
	case linear/ in *"$only"*)
		if [ $quick = yes ]; then
			measure_growth few 500000 20 3
		else
			measure_growth few 5000000 20 3
			measure_growth many 5000000 2500000 3
		fi
		;;
	esac
	# shellcheck disable=SC2194
	case fold/ in *"$only"*) measure_fold ;; esac
	# shellcheck disable=SC2194
	case ranks/ in *"$only"*) measure_ranks ;; esac
	# shellcheck disable=SC2194
	case grains/ in *"$only"*)
		if [ $quick = yes ]; then
			measure_grains "fib 25 25" "sort 200000 64 64"
		else
			measure_grains "fib 33 33" "sort 10000000 64 64"
		fi
		;;
	esac
fi

if [ -s "$samples" ]; then
	echo
	"$work/bars" < "$samples"
fi
[ -z "$csv" ] || cp "$samples" "$csv"

if [ $cost = yes ] && [ $quick = no ] && [ -n "$omp_tools" ]; then
	echo
	"$here/counters.sh" --build "$build" ${only:+--only "$only"}
	echo
	"$here/cost.sh" --build "$build" ${only:+--only "$only"}
fi
