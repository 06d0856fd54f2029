#!/bin/bash
# SPDX-License-Identifier: MIT
#
# chunks.sh BUILD - each chunk of a static loop has its own time; a program built with the plug-in
# needs nothing of Winnow; what the plug-in must leave alone it does. Prints TAP.
set -u

build=$(realpath "$1")
winnow=$build/winnow
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"

report() { # status, sentence
	[ "$1" = 0 ] && say ok "$2" || say "not ok" "$2"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

cat > slow.c << 'EOF'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	int sum = 0;
#pragma omp parallel for schedule(static, 4) num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 32; i++) {
		if (i == 17)
			usleep(50000);
		sum += i;
	}
	printf("%d\n", sum);
	return 0;
}
EOF

# clang's programs have the youngest libomp of BUILD/runtimes, where there is one
libomp=
mkdir link
if [ -e "$build/runtimes/$newest_libomp/libomp.so.5" ]; then
	ln -s "$build/runtimes/$newest_libomp/libomp.so.5" link/libomp.so
	libomp=-Llink
fi

for compiler in $plugin_gccs $clangs; do
	link= # one word, or none
	unset LD_LIBRARY_PATH
	case $compiler in
	clang*)
		link=$libomp
		[ -z "$libomp" ] || export LD_LIBRARY_PATH=$build/runtimes/$newest_libomp
		;;
	esac
	if ! "$winnow" cc --flags $compiler > flag 2> /dev/null ||
		! $compiler -fopenmp ${link:+"$link"} slow.c -o plain 2> plain.log; then
		say ok "$compiler # SKIP not here, or cannot link"
		continue
	fi
	flag=$(cat flag)
	rm -f slow trace
	$compiler "$flag" -O2 -fopenmp ${link:+"$link"} slow.c -o slow && [ "$(./slow)" = 496 ]
	report $? "$compiler: plain flags are enough to build, and the program runs by itself"
	! ldd slow | grep -q libwinnow
	report $? "$compiler: it needs no library of Winnow's"
	[ "$("$winnow" record -o trace ./slow 2> record.log)" = 496 ]
	report $? "$compiler: recording does not change what it prints"
	# the slow chunk is [16, 20); the other seven take no time
	"$winnow" export --format csv trace | columns_of kind range_first range_iterations work_ns elapsed_ns | awk -F, '
		$1 != "chunk" { next }
		$2 == 16 && $3 == 4 && $5 >= 40000000 { slow++; next }
		$4 < 40000000 { fast++ }
		END { exit !(slow == 1 && fast == 7) }'
	report $? "$compiler: one chunk is slow, seven are not"
done

unset LD_LIBRARY_PATH

cat > steps.f90 << 'EOF'
program steps
  integer :: i, s
  integer(8) :: l
  s = 0
!$omp parallel num_threads(1)
!$omp do schedule(static, 3)
  do i = 10, 16
    s = s + i
  end do
!$omp do schedule(static, 2)
  do l = 5, 1, -1
    s = s + int(l)
  end do
!$omp do schedule(static, 2)
  do i = 20, -10, -7
    s = s + i
  end do
!$omp end parallel
  print '(i0)', s
end program
EOF
cat > steps.want << 'EOF'
0 7 10 1 3: 0+3 3+3 6+1
0 5 5 -1 2: 0+2 2+2 4+1
0 5 - - -: 0+2 2+2 4+1
EOF
if command -v gfortran-12 > /dev/null && "$winnow" fc --flags gfortran-12 > /dev/null 2>&1; then
	for level in -O0 -O2 -O3; do
		rm -f trace
		"$winnow" fc -- gfortran-12 $level -fopenmp steps.f90 -o steps && [ "$(./steps)" = 136 ] &&
			[ "$("$winnow" record -o trace ./steps 2> record.log)" = 136 ] &&
			"$winnow" dump trace | LC_ALL=C awk -f "$here/chunks.awk" | sort -n -k2,2 |
			cut -d' ' -f3- | diff - steps.want | sed 's/^/# /' | tee wrong && [ ! -s wrong ]
		report $? "gfortran-12 $level: steps of 1, -1 and -7"
	done
fi

# Where nobody listens the loop is gcc's own, for one question in front of it: chunks of one iteration are
# then one strided loop, of which it may even make vectors.
cat > main.c << 'EOF'
void orphan(void);
int main(void)
{
#pragma omp parallel
	orphan();
	return 0;
}
EOF
cat > orphan.c << 'EOF'
int total;
void orphan(void);
void orphan(void)
{
#pragma omp for schedule(static, 2) reduction(+ : total)
	for (int i = 0; i < 10; i++)
		total += i;
}
EOF
cat > tasks.c << 'EOF'
int main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task
	;
	return 0;
}
EOF
# What the report says of static loops that gcc has hidden, if anything.
hidden() { # program
	rm -f trace
	"$winnow" record -o trace "./$1" > record.log 2>&1 &&
		"$winnow" report --json trace |
		jq -r '.fidelity[] | select(.construct == "static loop").note' |
			grep -o -e 'gcc computes' -e "did not compile: .*" | tr '\n' ' '
}

cat > strided.c << 'EOF'
void strided(double *a);
void strided(double *a)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 4000; i++)
		a[i] = a[i] * 0.5 + 1;
}
EOF
gcc=${plugin_gccs%% *}
if command -v "$gcc" > /dev/null && "$winnow" cc --flags "$gcc" > /dev/null 2>&1; then
	for level in -O1 -O2 -O3; do
		rm -f dump
		"$winnow" cc -- "$gcc" $level -fopenmp -fdump-tree-optimized=dump -c strided.c &&
			[ "$(grep -c 'if (winnow_on' dump)" = 1 ]
		report $? "$gcc $level: a loop asks once, not in each chunk, whether it is recorded"
	done
	"$gcc" -fopenmp main.c orphan.c -o neither && [ "$(hidden neither)" = "gcc computes " ]
	report $? "$gcc: the report says that static loops may be hidden"
	"$winnow" cc -- "$gcc" -O2 -fopenmp main.c orphan.c -o both && [ "$(hidden both)" = "" ]
	report $? "$gcc: ... but not if the plug-in saw all of the program"
	"$winnow" cc -- "$gcc" -fopenmp -c main.c && "$gcc" -fopenmp main.o orphan.c -o one &&
		[ "$(hidden one)" = "gcc computes did not compile: 1 of 2 " ]
	report $? "$gcc: ... and how many files it has not seen"
	strip both && [ "$(hidden both)" = "gcc computes " ]
	report $? "$gcc: ... and if nobody can know"
	"$gcc" -fopenmp tasks.c -o tasks && [ "$(hidden tasks)" = "" ]
	report $? "$gcc: ... and not of a program that has no static loops"
	echo 'int main(void) { return 0; }' > no.c
	"$winnow" cc -v -- "$gcc" no.c -o no 2> no.log && ! grep -q plugin no.log
	report $? "a command without -fopenmp runs as it is"
fi
"$winnow" cc -- ./slow-compiler -fopenmp slow.c > /dev/null 2> missing.log
[ $? -eq 1 ] && grep -q "cannot be run" missing.log
report $? "a compiler that is not there is named"
printf '#!/bin/sh\necho "some compiler 1.0"\n' > other
chmod +x other
"$winnow" cc --flags ./other > /dev/null 2> other.log
[ $? -eq 2 ] && grep -q "neither gcc nor clang" other.log
report $? "a compiler of another family is refused"
done_testing
