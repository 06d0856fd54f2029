#!/bin/bash
# SPDX-License-Identifier: MIT
#
# count.sh BUILD VERSION - programs that count what they execute (winnow cc --count), compiled by clang of
# that version at each level of optimisation, against the oracle that is called before each
# instruction of the same code; a kernel that is known by hand. Prints TAP.
set -u

build=$(realpath "$1") version=$2
winnow=$build/winnow
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
oracle=$build/tests/plugin/count_oracle$version.so
# shellcheck source=tests/tap.bash
. "$here/../../tap.bash"

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}
cc=clang-$version cxx=clang++-$version
for tool in "$cc" "$cxx"; do
	command -v "$tool" > /dev/null || skip "no $tool"
done
[ -e "$oracle" ] || skip "no oracle for $cc"
"$winnow" cc --count --flags "$cc" > /dev/null 2>&1 || skip "no plug-in for $cc"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LC_ALL=C

mkdir link
if [ -e "$build/runtimes/$newest_libomp/libomp.so.5" ]; then
	ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
	export LD_LIBRARY_PATH=$build/runtimes/$newest_libomp
fi
for tool in cc c++; do
	command -v $tool > /dev/null || skip "no $tool"
done
for part in "$here"/{slot,oracle}.c "$root"/src/record/counters/{footprint,touched}.c; do
	cc -O2 -fPIC -D_GNU_SOURCE -I "$root/src" -c "$part" || exit 1
done
for by in slot oracle both; do
	cc -O2 -fPIC -I "$root/src" -DBY_${by^^} -c "$here/told.c" -o by_$by.o
done
c++ -O1 -fPIC -c "$here/oracle_sets.cc" || exit 1

counted() { # output, source, flags: as the program itself counts
	local out=$1
	shift
	"$winnow" cc --count -- "$@" by_slot.o slot.o footprint.o touched.o -o "$out" 2> "$out.log" ||
		{ tail -3 "$out.log"; return 1; }
}
told_by_oracle() { # the same, as the oracle counts
	local out=$1
	shift
	# the same loops as `winnow cc` makes them
	"$winnow" cc -- "$@" "-fpass-plugin=$oracle" by_oracle.o oracle.o oracle_sets.o -lstdc++ -o "$out" \
		2> "$out.log" || { tail -3 "$out.log"; return 1; }
}
both() { # name, arguments of the compiler: builds NAME.count and NAME.oracle
	local name=$1
	shift
	counted "$name.count" "$@" && told_by_oracle "$name.oracle" "$@"
}
flags=$("$winnow" cc --count --footprint --flags "$cc")
footprints() { # output, source, flags: as both tell of one process
	local out=$1
	shift
	# shellcheck disable=SC2086
	"$@" "-fpass-plugin=$oracle" $flags by_both.o slot.o footprint.o touched.o oracle.o oracle_sets.o \
		-lstdc++ -o "$out" 2> "$out.log" || { tail -3 "$out.log"; return 1; }
}
disagree() { # a file of lines: what the oracle says otherwise
	grep oracle "$1" | head -n 6
	grep -q footprint_lines "$1" || echo "nothing was touched"
}
differ() { # of two files of lines, the first that do
	sed -i 's/ footprint_[a-z]*=[0-9]*//g' "$2"
	diff "$1" "$2" | head -n 6
	[ -s "$1" ] || echo "nothing was counted"
}

# with the choice, each program by one clang
mapfile -t versions < <(find "${oracle%/*}" -name 'count_oracle*.so' | sort | grep -o '[0-9]*\.so$')
is_its_turn() { # PROGRAM
	[[ " $(one_of "count, $1" "${versions[@]%.so}") " == *" $version "* ]]
}
for program in control.c rows.c throws.cpp; do
	is_its_turn "$program" || continue
	for level in $(one_of "count, $cc, $program" -O0 -O1 -O2 -O3); do
		compiler=$cc
		[ "$program" != throws.cpp ] || compiler=$cxx
		wrong=$(both way "$compiler" "$level" "$here/$program")
		./way.count > count.txt 2>&1
		./way.oracle > oracle.txt 2>&1
		result "$cc $level: $program counts what the oracle counts" "$wrong$(differ count.txt oracle.txt)"
		wrong=$(footprints touch "$compiler" "$level" "$here/$program")
		./touch > both.txt 2>&1
		result "$cc $level: $program touches what the oracle has in its sets" "$wrong$(disagree both.txt)"
	done
done

has() { # the line of what, pattern: or says that it is not there
	grep -q -e "^$1 .* $2\( \|$\)" known.txt || echo "$1: no $2 in $(grep "^$1" known.txt)"
}
for level in $(one_of "kernel of $cc" -O1 -O2 -O3); do
	wrong=$("$winnow" cc --count --footprint -- "$cc" $level "$here/kernel.c" by_slot.o slot.o footprint.o \
		touched.o -o kernel)
	for times in 1 8 1000 65536; do
		./kernel $times > known.txt
		# 8 bytes, 8 and 4; then 8 of each 40, three times over, which leave out no line
		steps=$(((times + 4) / 5))
		wrong=$wrong$(
			has kernel "mem_reads=$((2 * times))"
			has kernel "mem_writes=$times"
			has kernel "mem_read_bytes=$((16 * times))"
			has kernel "mem_write_bytes=$((4 * times))"
			# shellcheck disable=SC2017
			has kernel "footprint_lines=$(((times + 7) / 8 * 2 + (times + 15) / 16))"
			has kernel "footprint_addresses=$((3 * times))"
			has stride "mem_writes=$((3 * steps))"
			has stride "footprint_lines=$((((steps - 1) * 40 + 7) / 64 + 1))"
			has stride "footprint_addresses=$steps"
			grep stack known.txt
		)
	done
	result "$cc $level: a kernel counts and touches what is known of it" "$wrong"
done

link=
[ -e link/libomp.so ] && link=-Llink || link=-L.
if echo 'int main(void) { return 0; }' > empty.c && "$cc" -fopenmp "$link" empty.c -o empty 2> /dev/null; then
	repetitions=3
	[ "$WN_CHOICE" != all ] || repetitions=10
	for level in $(one_of "count, tasks of $cc" -O0 -O2 -O3); do
		wrong=$(both tasks "$cc" $level -fopenmp "$link" "$here/tasks.c")
		OMP_NUM_THREADS=1 ./tasks.oracle | sort > oracle.txt
		for threads in 1 2 4; do
			for ((i = 0; i < repetitions; i++)); do
				OMP_NUM_THREADS=$threads ./tasks.count | sort > count.txt
				wrong=$wrong$(differ count.txt oracle.txt | sed "s/^/$threads threads: /")
			done
		done
		result "$cc $level: each task and iteration counts the same on 1, 2 and 4 threads, as the oracle does" \
			"$wrong"
		wrong=$(footprints touch "$cc" $level -fopenmp "$link" "$here/tasks.c")
		for threads in 1 2 4; do
			OMP_NUM_THREADS=$threads ./touch > both.txt
			wrong=$wrong$(disagree both.txt | sed "s/^/$threads threads: /")
		done
		result "$cc $level: each task and iteration touches what the oracle has in its sets" "$wrong"
	done
	# By the recorder: each task's counts have their columns, and are those of any number of threads.
	"$winnow" cc --count --footprint -- "$cc" -std=c17 -O2 -fopenmp "$link" "$root/bench/programs/sort.c" \
		-o sort -lm
	wrong=
	for threads in 1 2 4; do
		rm -f trace
		OMP_NUM_THREADS=$threads "$winnow" record -o trace ./sort 20000 512 512 > sort.out 2>&1 ||
			wrong="$wrong$(tail -3 sort.out)"
		"$winnow" check trace > check.out 2>&1 || wrong="$wrong$(tail -3 check.out)"
		"$winnow" report --json trace > report.json
		"$winnow" export --format csv trace | awk -F, '
			/^#/ { next }
			/^id,/ { for (i = 1; i <= NF; i++) column[$i] = i; next }
			$column["kind"] == "task" {
				if ($column["footprint_lines"] + 0 == 0) print "no footprint", $0
				print $column["lineage"], $column["instructions"], $column["mem_reads"],
					$column["mem_write_bytes"], $column["stack_reads"], $column["mix_branch"]
			}' | sort > tasks.$threads
		[ "$threads" = 1 ] || wrong=$wrong$(differ tasks.$threads tasks.1)
		wrong=$wrong$(grep -m 1 "no footprint" tasks.$threads)
	done
	grep -q "LLVM IR instructions, clang $version" report.json || wrong="$wrong nobody is said to have counted"
	grep -q '"the program was compiled to count what it executes' report.json ||
		wrong="$wrong its times are taken for the program's"
	result "$cc -O2: recorded tasks have the same counts on 1, 2 and 4 threads, and who counted" "$wrong"
	# Counts go to the times of the same program built as ever, which is another build of it.
	mkdir -p plain
	"$cc" -std=c17 -O2 -fopenmp "$link" "$root/bench/programs/sort.c" -o plain/sort -lm
	OMP_NUM_THREADS=2 "$winnow" record -o times plain/sort 20000 512 512 > sort.out 2>&1
	wrong=$("$winnow" report --json times --counts trace --weight instructions 2>&1 > report.json)
	carried=$(awk '
		/"counts": \{/ { inside = 1 }
		inside && /"(matched|without_counts|without_grains|other_build)"/ { print $1, $2 }
		inside && /}/ { exit }' report.json | tr -d ',\n')
	n_tasks=$(wc -l < tasks.1)
	[ "$carried" = "\"matched\": $n_tasks\"without_counts\": 0\"without_grains\": 0\"other_build\": true" ] ||
		wrong="$wrong of $n_tasks tasks $carried"
	! grep -q "compiled to count" report.json || wrong="$wrong these times are its own"
	result "$cc -O2: all tasks of a program built without counting have the counts of the one that counts" \
		"$wrong"
	while read -r program arguments; do
		is_its_turn "$program" || continue
		wrong=$(both bench "$cc" -std=c17 -O2 -fopenmp "$link" "$root/bench/programs/$program.c" -lm)
		export OMP_NUM_THREADS=1
		# shellcheck disable=SC2086
		{
			WN_TOLD=count.txt ./bench.count $arguments > count.out
			WN_TOLD=oracle.txt ./bench.oracle $arguments > oracle.out
		}
		result "$cc -O2: $program counts what the oracle counts" \
			"$wrong$(differ count.txt oracle.txt)$(differ count.out oracle.out)"
		wrong=$(footprints touch "$cc" -std=c17 -O2 -fopenmp "$link" \
			"$root/bench/programs/$program.c" -lm)
		# shellcheck disable=SC2086
		WN_TOLD=both.txt ./touch $arguments > touch.out
		result "$cc -O2: $program touches what the oracle has in its sets" \
			"$wrong$(disagree both.txt)$(differ touch.out oracle.out)"
	done << 'END'
alignment 10 40
fft 1024 64
fib 16 5
floorplan 6 2
health 3 3 10 2
nqueens 7 2
sort 20000 512 512
sparselu 6 8
strassen 64 16
uts 50 --work=20
END
fi

# Several modules, one of which is loaded while the program runs, and two threads: one block each.
parts() { # counted or told_by_oracle, what the program is to show to libraries
	"$1" libpart.so "$cc" -O2 -fPIC -shared -DPART=part_linked -DNAME='"linked"' "$here/part.c" &&
		"$1" liblater.so "$cc" -O2 -fPIC -shared -DPART=part_later -DNAME='"later"' "$here/part.c" &&
		"$1" parts "$cc" -O2 "$here/parts.c" -DPART=part_own -DNAME='"own"' "$here/part.c" \
			-L. -lpart -Wl,-rpath,"$folder" "$2" -pthread -ldl && ./parts
}
parts told_by_oracle -rdynamic > oracle.txt 2>&1
parts counted -Wl,--export-dynamic-symbol=told > count.txt 2>&1
result "$cc: modules of one program count in one block for each thread" "$(differ count.txt oracle.txt)"

# What another command links without that shows nothing, which is said, and not of what shows it.
cat > hides.c << 'END'
int main(void) { return 0; }
END
wrong=
for flag in "" -rdynamic; do
	# shellcheck disable=SC2046,SC2086
	"$cc" -O2 $flag $("$winnow" cc --count --flags "$cc") hides.c -o hides
	"$winnow" record -o hidden ./hides 2>&1 | grep -c "link it by 'winnow cc --count', or with -rdynamic"
done > hides.said
[ "$(tr '\n' ' ' < hides.said)" = "1 0 " ] || wrong=$(cat hides.said)
result "$cc: counts that a link has hidden are missed aloud" "$wrong"
"$winnow" record -o hidden --counters task-clock ./hides > both.said 2>&1
result "$cc: and those that --counters takes the place of" \
	"$(grep -c "what ./hides counts itself; use either that or --counters" both.said | grep -vx 1)"

cat > longer.c << 'END'
int main(void) { return 0; }
END
"$winnow" cc --count -- "$cc" -c -g -Wall -Werror longer.c -o longer.o > warned 2>&1
result "$cc: a compilation that counts brings no warning" "$(cat warned)"
"$winnow" cc --count -- "$cc" -g -Wall -Werror longer.o -o longer > warned 2>&1 && ./longer
result "$cc: nor does a link, and the program needs no library of Winnow's" \
	"$(cat warned; ldd longer | grep winnow)"
done_testing
