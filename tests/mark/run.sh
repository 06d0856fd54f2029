#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK [CASE...] - programs that include winnow/mark.h. They print what a report on them
# has to say; the report must say just that. TAP.
#
# A way is COMPILER,RUNTIME: gcc with libgomp, clang with a libomp of tools/fetch-runtimes.sh, gcc's
# code on a libomp. WN_MARK_WAYS narrows it.
set -u
unset MALLOC_PERTURB_ # as in tests/crash/common.bash

build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include
winnow=$build/winnow
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
cd "$work" || exit 1

ways=${WN_MARK_WAYS:-}
if [ -z "$ways" ]; then
	ways=gcc,libgomp
	if [ -e "$build/runtimes/$newest_libomp/libomp.so.5" ]; then
		ways+="$(mixed_ways) gcc,$newest_libomp"
	fi
fi

# compile COMPILER OUTPUT ARGUMENT...
compile() {
	local compiler=$1 output=$2
	shift 2
	mkdir -p link
	[ ! -e "$build/runtimes/$newest_libomp/libomp.so.5" ] || ln -sf "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
	case $compiler in
	clang*) "$compiler" -g -I "$include" -idirafter "$libomp_headers" -Llink -o "$output" "$@" ;;
	*) "$compiler" -g -I "$include" -o "$output" "$@" ;;
	esac
}

# record WAY PROGRAM ARGUMENT...: leaves trace.winnow, report.json, and what the program prints
record() {
	local way=$1 program=$2 runtime=${1#*,} path=
	shift 2
	if [ "$runtime" != libgomp ]; then
		path=$build/runtimes/$runtime
		if [[ $way == gcc,* ]]; then
			mkdir -p "gomp.$runtime"
			ln -sf "$path/libomp.so.5" "gomp.$runtime/libgomp.so.1"
			path=$work/gomp.$runtime
		fi
	fi
	rm -f trace.winnow* report.json
	env LD_LIBRARY_PATH="$path" OMP_NUM_THREADS=2 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive \
		timeout 60 "$winnow" record "${record_options[@]}" -o trace.winnow \
		"./$program" "$@" > said.txt 2> errors.txt
	echo $? > status.txt
	"$winnow" report --json trace.winnow > report.json 2>> errors.txt
}
record_options=()

# What the report says, in the words of the programs. A libomp tells of itself before its first
# construct, so that there may be a mark before all.
facts() {
	jq -r '(.marks[] | select(.name != null and .name != "before all") | "mark \(.name) \(.count)"),
		(.labels[] | "label \(.label) \(.grains)"),
		(.fidelity[] | select(.construct == "user marks")
			| select(.note | test("before the recording began") | not) | "unmatched \(.count)")' report.json
}

# The mark before all is in the report, or is counted as one that is not.
early() {
	jq -r '[(.marks[] | select(.name == "before all") | .count),
		(.fidelity[] | select(.note | test("ended before the recording began")) | .count)] | add' report.json
}

# The difference between what the program says and FACTS; nothing if there is none.
compare() {
	[ "$(cat status.txt)" = 0 ] || { echo "status $(cat status.txt)"; cat errors.txt; }
	diff <(sort said.txt) <("$1" | sort)
	"$winnow" check trace.winnow > check.txt 2>&1 || cat check.txt
}

case_clean() { # the header, as every standard and compiler sees it
	local warnings="-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef -pedantic -Werror"
	echo '#include <winnow/mark.h>
		int main(int c, char **v) { WINNOW_REGION_BEGIN("a"); WINNOW_REGION_END();
		if (c > 1) WINNOW_LABEL("b"); else winnow_label(v[0]);
		winnow_pause(); winnow_resume(); return winnow_control(WINNOW_FLUSH, 0, v) == 0; }' > clean.c
	for compiler in gcc $two_clangs; do
		command -v $compiler > /dev/null || continue
		for standard in $(one_of "mark $compiler" c99 c11 gnu17); do
			# shellcheck disable=SC2086
			result "clean: $compiler -std=$standard" "$(compile $compiler clean $warnings \
				-Wstrict-prototypes -std=$standard -fopenmp-simd clean.c 2>&1)"
		done
	done
	sed '1a namespace { void f() { WINNOW_REGION("f"); WINNOW_REGION("g"); winnow::region r("h"); } }
		s/{ WIN/{ f(); WIN/' clean.c > clean.cpp
	for compiler in g++ ${two_clangs//clang/clang++}; do
		command -v $compiler > /dev/null || continue
		for standard in $(one_of "mark $compiler" c++11 c++17 c++20); do
			# shellcheck disable=SC2086
			result "clean: $compiler -std=$standard" "$(compile $compiler clean $warnings \
				-Wold-style-cast -Wzero-as-null-pointer-constant -std=$standard clean.cpp 2>&1)"
		done
	done
}

# Without a recorder, and with one, however the program is compiled and linked.
case_kinds() {
	local kind said i=0 first
	turn "mark kinds" 3
	first=$turn
	for kind in "gcc -O0" "gcc -O2" "gcc -O0 -fno-pic -no-pie" "gcc -O2 -fno-pic -no-pie" "gcc -O2 -fPIC" \
		"gcc -O2 -masm=intel" "gcc -O2 -flto" "gcc -O2 -mcmodel=large" "gcc -O2 -static" \
		"gcc -O2 -fno-pic -no-pie -fuse-ld=gold" "gcc -O2 -fno-pic -no-pie -fuse-ld=lld" \
		"gcc -O2 -fno-pic -no-pie -Wl,-z,now" "g++ -x c++ -O0" "g++ -x c++ -O2 -fno-pic -no-pie" \
		"$oldest_clang -O0" "$oldest_clang -O2" "$oldest_clang -O0 -fno-pic -no-pie" \
		"$oldest_clang -O2 -fno-pic -no-pie" "$oldest_clang -O2 -masm=intel" \
		"$oldest_clang -O2 -fno-pic -no-pie -fuse-ld=lld"; do
		i=$((i + 1))
		# one of three
		[ "$WN_CHOICE" = all ] || [ $((i % 3)) -eq "$first" ] || continue
		case $kind in
		clang*) [ -e link/libomp.so ] || continue ;;
		*lld) command -v ld.lld > /dev/null || continue ;;
		*gold) command -v ld.gold > /dev/null || continue ;; # not in binutils 2.44 and newer
		esac
		# shellcheck disable=SC2086
		said=$(compile ${kind%% *} kind ${kind#* } -fopenmp "$here/programs/absent.c" 2>&1 | grep -v "statically linked\|in function")
		said+=$(LD_LIBRARY_PATH=$build/runtimes/$newest_libomp ./kind | grep -vx "absent -2 ran")
		result "absent: $kind" "$said"
		[[ $kind == *-static ]] && continue
		if [[ $kind == clang* ]]; then record "$oldest_clang,$newest_libomp" kind; else record gcc,libgomp kind; fi
		said=$(grep -vx "present [01] ran" said.txt
			diff <(printf 'label thread 2\nmark all 1\nmark team 2\n') <(facts | sort))
		result "recorded: $kind" "$said"
	done
}

case_cost() { # from the entry to the branch: one load, one test
	for kind in "gcc -O2" "gcc -O2 -fno-pic" "gcc -O2 -fPIC" "$oldest_clang -O2"; do
		# shellcheck disable=SC2086
		compile ${kind%% *} cost.o ${kind#* } -c "$here/programs/cost.c" 2> /dev/null || continue
		for function in just_end just_begin; do
			head=$(objdump -d --no-show-raw-insn "--disassemble=$function" cost.o | sed '1,/>:/d' | grep -v "endbr64\|push\|sub .*rsp" | awk 'NF { print $2 }' | head -3 | xargs)
			case $head in
			"mov test je" | "mov test jne") head= ;;
			esac
			[ "$(uname -m)" = x86_64 ] || head=
			result "cost: $kind, $function: a load and a branch" "$head"
		done
	done
}

case_libraries() {
	local said=
	compile gcc libone.so -shared -fPIC -O2 '-DLIBRARY_NAME="linked"' "$here/programs/library.c"
	compile gcc libtwo.so -shared -fPIC -O2 '-DLIBRARY_NAME="opened"' "$here/programs/library.c"
	compile gcc uses -O2 -fopenmp "$here/programs/uses.c" -L. -lone -Wl,-rpath,"$work" -ldl
	said=$(./uses ./libtwo.so | grep -vx ran)
	record gcc,libgomp uses ./libtwo.so
	said+=$(diff <(printf 'mark linked 1\nmark opened 1\n') <(facts | sort))
	result "libraries: one that is linked, one that is opened" "$said"
}

case_marks() {
	for way in $ways; do
		cp "$(compiled mark marks.c "${way%%,*}")" marks || continue
		LD_LIBRARY_PATH=$build/runtimes/$newest_libomp ./marks > /dev/null
		[ $? = 3 ] || result "marks: absent" "status $?"
		record "$way" marks
		result "marks: $way" "$(compare facts)"
		result "marks: $way: what ends before the recording begins is counted" "$(early | grep -vx 1)"
	done
}

case_full() {
	cp "$(compiled mark full.c gcc)" full
	record gcc,libgomp full
	result "full: more names than are kept" "$(compare facts)"
}

case_scope() {
	for way in $ways; do
		cp "$(compiled mark scope.cpp "${way%%,*}")" scope || continue
		record "$way" scope
		result "scope: $way" "$(compare facts)"
	done
}

paused_facts() {
	jq -r '"regions \(.graph.parallel_regions)", "tasks \(.graph.explicit_tasks)",
		"paused \([.fidelity[] | select(.construct == "recording paused") | .count] | add)"' report.json
	jq -r 'select(.totals.paused_ns == 0 or .time.paused_percent == 0) | "no pause in the times"' report.json
	"$winnow" report trace.winnow | grep -q "The program paused its recording for" || echo "no word in the headline"
	[ "$(jq -r '[.marks[].name] | join(" ")' report.json)" = whole ] || jq .marks report.json
}

case_pause() {
	for way in $ways; do
		cp "$(compiled mark pause.c "${way%%,*}")" pause || continue
		record "$way" pause
		result "pause: $way" "$(compare paused_facts)"
		record_options=(--paused)
		record "$way" pause paused
		record_options=()
		result "pause: $way, from the start" "$(compare paused_facts)"
	done
}

case_fortran() {
	command -v gfortran > /dev/null || return
	local said
	said=$(gfortran -g -O1 -std=f2008 -Wall -Wextra -Werror -pedantic -fopenmp \
		"$here/../../include/winnow/mark.f90" "$here/programs/fortran.f90" -o fortran 2>&1)
	said+=$(./fortran | grep -v "F *-2 *T")
	result "Fortran: absent" "$said"
	record gcc,libgomp fortran
	grep -q "T *1 *T" said.txt || result "Fortran: present" "$(cat said.txt)"
	printf '%s\n' "mark solve 1" > said.txt
	printf 'label row %d 1\n' 1 2 3 4 5 6 7 8 >> said.txt
	result "Fortran: marks and labels" "$(compare facts)"
	result "Fortran: paused" "$(jq -r '[.graph.parallel_regions,
		([.fidelity[] | select(.construct == "recording paused") | .count] | add)] | join(" ")' report.json |
		grep -vx "1 1")"
}

case_example() {
	compile gcc marked -O1 -fopenmp "$here/../../examples/mark/marked.c"
	result "example: absent" "$(OMP_NUM_THREADS=2 ./marked > plain.txt || echo failed)"
	record gcc,libgomp marked
	result "example: the same result" "$(diff plain.txt said.txt)"
	printf '%s\n' "mark solve 4" "mark add up 1" "label inner block 168" "label border block 24" > said.txt
	result "example: what it says" "$(compare facts)"
}

case_exports() { # the label of each task, in every format
	cp "$(compiled mark marks.c gcc)" marks
	record gcc,libgomp marks
	result "exports: report" "$("$winnow" report --top 3 trace.winnow | grep -qE "^ +two of three +20 " || echo "no label")"
	for format in csv graphml dot svg; do
		"$winnow" export --format $format trace.winnow > out.$format 2> errors.txt
		result "exports: $format" "$(grep -q "two of three" out.$format || echo "no label"
			! grep -q "first choice" out.$format || echo "a label that was replaced")"
	done
}

for name in ${*:-clean kinds cost libraries marks full scope pause fortran example exports}; do
	"case_$name"
done
done_testing
