#!/bin/bash
# SPDX-License-Identifier: MIT
#
# sources.sh BUILD VERSION - sources of a program that counts itself, compiled by clang of that version, some
# of which do not count: those, and no others, are named. Prints TAP.
set -u

build=$(realpath "$1") cc=clang-$2
winnow=$build/winnow
# shellcheck source=tests/tap.bash
. "$(dirname "$0")/../../tap.bash"

if ! command -v "$cc" > /dev/null || ! "$winnow" cc --count --flags "$cc" > /dev/null 2>&1; then
	echo "1..0 # SKIP no plug-in for $cc"
	exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LC_ALL=C
mkdir link near far
if [ -e "$build/runtimes/$newest_libomp/libomp.so.5" ]; then
	ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
	export LD_LIBRARY_PATH=$build/runtimes/$newest_libomp
fi

cat > main.c << 'END'
#include <stdio.h>
int one(int n), two(int n);
int
main(void)
{
	int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 4; i++)
#pragma omp task
	{
		int is = one(100) + two(100);
#pragma omp atomic
		sum += is;
	}
	printf("%d\n", sum);
	return 0;
}
END
for name in one two; do
	echo "int $name(int n); int $name(int n) { int x = 0; while (n--) x = x * 3 ^ n; return x; }" > $name.c
done
# sources of one name, apart
cp one.c near/part.c
cp two.c far/part.c

counts() { # source, object, flags
	"$winnow" cc --count -- "$cc" -O2 -fopenmp "${@:3}" -c "$1" -o "$2"
}
counts_not() {
	"$cc" -O2 -fopenmp "${@:3}" -c "$1" -o "$2"
}
link() { # objects and flags
	"$winnow" cc --count -- "$cc" -fopenmp -Llink "$@" -o prog
}
# What a recording says is not counted
said() {
	rm -rf t
	"$winnow" record -o t ./prog > out.txt 2> err.txt || cat err.txt
	grep -qx -e "-*[0-9][0-9]*" out.txt || echo "the program wrote: $(cat out.txt)"
	"$winnow" dump t > dump.txt || echo "no dump"
	sed -n 's/^counter-missing //p' dump.txt
}
# check NAME EXPECTED: what is said of ./prog
check() {
	local is
	is=$(said)
	[ "$is" = "$2" ] && is= || is="said: $is; expected: $2"
	result "$cc: $1" "$is"
}
# tells NAME WORDS VERB...: the words are in what winnow says of runs, however they are broken into lines
tells() {
	local is
	"$winnow" "${@:3}" > told.txt
	tr -s ' \n' ' ' < told.txt | grep -q -F "$2" && is= || is=$(cat told.txt)
	result "$cc: $1" "$is"
}
without=": compiled without 'winnow cc --count'"

counts main.c main.o && counts one.c one.o && counts two.c two.o && link main.o one.o two.o
check "all count: nothing is said" ""
counts_not one.c one.o && link main.o one.o two.o
check "one source does not" "one.c$without"
tells "a report names it" "not counted: one.c$without" report -v t
tells "and says that libraries do not count" "not counted: what libraries execute" report -v t
tells "a characterisation names it" "not counted: one.c$without" characterize t t
mv t counted
counts_not main.c plain.o && counts_not two.c plain_two.o && "$cc" -fopenmp -Llink plain.o one.o plain_two.o -o prog
rm -rf t
"$winnow" record -o t ./prog > out.txt 2> err.txt
tells "a run that its counts are carried to names it" "not counted in the counted run: one.c$without" \
	report -v t --counts counted

counts_not two.c two.o && link main.o one.o two.o
check "two do not" "one.c, two.c$without"
counts near/part.c near.o && counts_not far/part.c far.o && link main.o near.o far.o
check "of two of one name, one does" "part.c$without"
counts far/part.c far.o && link main.o near.o far.o
check "of two of one name, both do" ""
(cd near && counts part.c ../near.o) && (cd far && counts_not part.c ../far.o) && link main.o near.o far.o
check "of two called alike, one does" "part.c$without"

for linker in bfd gold lld; do
	command -v ld.$linker > /dev/null || continue
	counts one.c one.o -ffunction-sections && counts_not two.c two.o -ffunction-sections
	link main.o one.o two.o -fuse-ld=$linker -Wl,--gc-sections
	check "linked by $linker without what is not used" "two.c$without"
done
unknown="sources compiled without 'winnow cc --count', if there are any: the program's file does not name them any more"
if command -v ld.lld > /dev/null && [ "$cc" = "$oldest_clang" ]; then # lld reads what its own version writes
	for how in full thin; do
		counts main.c main_lto.o -flto=$how && counts one.c one_lto.o -flto=$how && counts_not two.c two_lto.o
		link main_lto.o one_lto.o two_lto.o -fuse-ld=lld -flto=$how
		[ $how = full ] && expected="$unknown
two.c$without" || expected="two.c$without"
		check "optimised by the linker, $how" "$expected"
	done
fi
if command -v gcc > /dev/null; then
	gcc -O2 -c two.c -o two.o && link main.o one.o two.o
	check "another compiler's object" "two.c$without"
fi
counts two.c two.o -g && link main.o one.o two.o -no-pie
check "linked to a fixed address" ""

others=
for i in $(seq 10 21); do
	echo "int other_$i; int f_$i(void); int f_$i(void) { return other_$i; }" > "other_$i.c"
	counts_not "other_$i.c" "other_$i.o"
	others="$others other_$i.o"
done
# shellcheck disable=SC2086
link main.o one.o two.o $others
check "many do not" "$(echo other_1{0..7}.c | sed 's/ /, /g') and 4 more$without"

# What the recorder reads of a file is the same with each clang: with the choice, one of them.
# shellcheck disable=SC2086 # words
if [[ " $(one_of "files that are damaged" $clangs) " != *" $cc "* ]]; then
	done_testing
	exit
fi
# names that are no longer there; and a file whose tables are not what they should be
cp prog whole
strip prog
check "a program without symbols" "$unknown"
cp whole prog && objcopy -R .comment prog
check "a program without comments" "$unknown"
put() { # offset, bytes as printf has them
	# shellcheck disable=SC2059
	printf "$2" | dd of=prog bs=1 seek="$1" conv=notrunc status=none
}
wrong=
# where sections begin, the size of one, their number, which of them has their names
for damage in '40 \xff\xff' '58 \xff\xff' '60 \0\0' '62 \xff\xff'; do
	cp whole prog && put "${damage% *}" "${damage#* }"
	[ "$(said)" = "$unknown" ] || wrong="$wrong header at ${damage% *}: $(said)"
done
result "$cc: a header that tells of sections that are not there" "$wrong"
begin=$(readelf -hW whole | sed -n 's/.*Start of section headers: *\([0-9]*\).*/\1/p')
size=$(stat -c %s whole) wrong=
RANDOM=7
for i in $(seq 60); do
	cp whole prog && for _ in 1 2 3 4; do
		put $((begin + (RANDOM * 32768 + RANDOM) % (size - begin))) "\\x$(printf %02x $((RANDOM % 256)))"
	done
	said > said.txt
	grep -v "^\(sources compiled without\|.*$without\)" said.txt | head -n 3 > unlike.txt
	[ ! -s unlike.txt ] || wrong="$wrong $i: $(cat unlike.txt)"
done
result "$cc: tables of sections with damage are read without harm" "$wrong"
done_testing
