#: grains
# the line at the end counts the grains of all processes, as reports do
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-binary.c.gcc" binary
winnow record -o t sh -c './omp; ./binary; exit 0' > /dev/null 2> talk < /dev/null
said=$(grep -o '[0-9,]* grains,' talk | tr -cd 0-9)
counted=0
for trace in t t.*; do
	counted=$((counted + $(winnow report --json "$trace" | sed -n '/^  "graph"/,/}/s/ *"grains": \([0-9]*\),/\1/p')))
done
test "$counted" -gt 1000
test "$said" = "$counted"
#: interpreter
# another interpreter that opens no runtime is named
[ -x /usr/bin/awk ] || { echo "no awk"; exit 77; }
printf '#!/usr/bin/awk -f\nBEGIN { print "awk" }\n' > script
chmod +x script
winnow record ./script
#= exit 125
#= stdout
#| awk
#= stderr glob
#| winnow record: nothing recorded: neither its interpreter /usr/bin/awk nor what that started reported an OpenMP runtime
#: late-libgomp
# a runtime that is opened late is recorded
cp "$COMPILED/cli-late.c.gcc-fno-openmp" late
gcc -fopenmp -shared -fPIC -o library.so "$PROGRAMS/library.c"
winnow record -v -o t ./late ./library.so
#= stdout
#| sum 55
#= stderr glob
#| *expected source: none yet: *
#| winnow record: t: *, libgomp by wrapping, complete*
#: late-libomp
# libomp that is opened late is recorded
cp "$COMPILED/cli-late.c.gcc-fno-openmp" late
$CLANG -fopenmp -shared -fPIC -o library.so "$PROGRAMS/library.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t ./late ./library.so
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: *, libomp by OMPT, complete*
#: no-openmp
# a program without OpenMP: says so, and leaves no file
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
winnow record -k ./serial
ls
#= stdout
#| serial
#| serial
#= stderr glob
#| winnow record: nothing recorded: no OpenMP runtime was seen: it links none (nor do its * libraries), *
#: other-namespace
# a process with numbers of its own is not taken for another one, and one that cannot report is found
for how in '' --mount-proc; do
	unshare -Urpf $how true 2> /dev/null || { echo "no namespaces may be made here"; exit 77; }
done
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t unshare -Urpf sh -c './omp; exit 3' || echo "$?"
winnow record -o t unshare -Urpf --mount-proc sh -c './omp; exit 3' || echo "$?"
winnow dump t | grep -c '^wait-status' || true
unshare -Urpf winnow record -o u ./omp
winnow dump u | grep '^wait-status'
#= stdout
#| sum 55
#| 3
#| sum 55
#| 3
#| 0
#| sum 55
#| wait-status 0
#= stderr glob
#| winnow record: t: * 10 grains, libgomp by wrapping, complete*
#| winnow record: t: * 10 grains, libgomp by wrapping, complete*
#| winnow record: u: * 10 grains, libgomp by wrapping, complete*
#: recorded
# a recorded program: one line with file, size, source and state
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp
ls -- *.winnow
#= stdout
#| sum 55
#| omp.winnow
#= stderr glob
#| winnow record: omp.winnow: * kB*, * grains, libgomp by wrapping, complete*
#: recorded-libomp
# a program on libomp is recorded by OMPT
$CLANG -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t ./omp
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: * kB*, * grains, libomp by OMPT, complete*
#: same-output
# the program's output and status are the same, byte for byte
cp "$COMPILED/cli-binary.c.gcc" binary
head -c 100000 /dev/urandom > input
status=0
./binary < input > without 2> /dev/null || status=$?
test "$status" -eq 3
status=0
winnow record ./binary < input > with 2> talk || status=$?
test "$status" -eq 3
cmp without with
head -n 1 talk
wc -l < talk
#= stdout
#| to stderr
#| 2
#: shell-script
# a script that starts nothing with OpenMP: says so
printf '#!/bin/sh\necho from a script\n' > script
chmod +x script
winnow record ./script
#= exit 125
#= stdout
#| from a script
#= stderr glob
#| winnow record: nothing recorded: it is a shell script, and no process it started reported an OpenMP runtime *
#: two-runtimes
# two programs on two runtimes are told apart
cp "$COMPILED/cli-omp.c.gcc" a
$CLANG -fopenmp -o b "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t sh -c './a; ./b'
#= stdout
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: t and 1 more, *, libomp by OMPT and libgomp by wrapping, complete*

#: static-program
# a static program: says that nothing can be loaded into it
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow record ./serial
#= exit 125
#= stdout
#| serial
#= stderr
#| winnow record: nothing recorded: it is statically linked: no library can be loaded into it; link it dynamically
#: static-libgomp
# libgomp linked into the program: says so, also when it is stripped
archive=$(gcc -print-file-name=libgomp.a)
[ -f "$archive" ] || { echo "no libgomp.a"; exit 77; }
gcc -fopenmp -c "$PROGRAMS/omp.c"
gcc -o omp omp.o "$archive" -lpthread -ldl
winnow record -k ./omp
strip omp
winnow record -k ./omp
#= stdout
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: nothing recorded: libgomp is linked into the program: *
#| winnow record: nothing recorded: libgomp is linked into the program: *
#: static-libomp-tool
# a tool linked to a libomp inside the program is asked in place of the recorder: says so
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp" tool
winnow record -k ./tool
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp-DNO_TOOL" none
winnow record -k ./none
#= stderr glob
#| winnow record: nothing recorded: libomp and an OMPT tool are linked into the program: *
#| winnow record: nothing recorded: it links libomp, but *
#: static-fortran
# gfortran -static -fopenmp dies at its end by itself, for want of a function: that end is passed on
cat > p.f90 << 'END'
program p
  integer :: s
  s = 0
!$omp parallel reduction(+:s) num_threads(2)
  s = s + 1
!$omp end parallel
  print '(i0)', s
end program
END
gfortran -fopenmp -static p.f90 -o bare 2> /dev/null || { echo "no gfortran, or no static libraries"; exit 77; }
gfortran -fopenmp -static -Wl,-u,pthread_mutex_destroy p.f90 -o whole 2> /dev/null
alone=0 recorded=0
./bare > alone.txt 2> /dev/null || alone=$?
winnow record -k ./bare > recorded.txt 2> /dev/null || recorded=$?
cmp alone.txt recorded.txt
[ $alone = $recorded ] && echo "the same end"
winnow record -k ./whole
#= stdout
#| the same end
#| 2
#= stderr glob
#| winnow record: nothing recorded: it is statically linked with libgomp: *

#: source
# --source chooses by what a program is recorded, and names are checked before it starts
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record --source libgomp ./omp
winnow record --source auto -o auto.winnow ./omp
winnow record --source gomp ./omp || echo "status $?"
winnow record --source ompt ./omp || echo "status $?"
winnow run --source=pomp2 ./omp || echo "status $?"
#= stdout
#| sum 55
#| sum 55
#| status 2
#| status 2
#| status 2
#= stderr glob
#| winnow record: omp.winnow: *, libgomp by wrapping, complete*
#| winnow record: auto.winnow: *, libgomp by wrapping, complete*
#| winnow record: option '--source': 'gomp' is not auto, ompt, ompt-grain, libgomp or pomp2; see winnow help record
#| winnow record: ./omp: cannot be recorded by ompt: it links libgomp, which has no OMPT
#| winnow run: ./omp: cannot be recorded by pomp2: it is not instrumented; compile it with 'winnow cc --opari'
#: source-instrumented
# an instrumented program is recorded by its instrumentation, or by its runtime if asked for
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp
winnow record --source libgomp ./omp
WINNOW_SOURCE=libgomp winnow record --source pomp2 ./omp
WINNOW_SOURCE=libgomp winnow record --source auto ./omp
#= stdout
#| sum 55
#| sum 55
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: omp.winnow: *, OPARI2 instrumentation, complete*
#| winnow record: omp.winnow: *, libgomp by wrapping, complete*
#| winnow record: omp.winnow: *, OPARI2 instrumentation, complete*
#| winnow record: omp.winnow: *, OPARI2 instrumentation, complete*
#: source-late
# a source that nothing is shown to: the program runs, and the line at the end says so
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
winnow record --source ompt ./serial
#= exit 125
#= stdout
#| serial
#= stderr
#| winnow record: nothing recorded: no process reported anything by ompt, which --source requires
#: source-static
# a static program is not started where --source asks for what it cannot give
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow record --source pomp2 ./serial
#= exit 2
#= stderr
#| winnow record: ./serial: cannot be recorded by pomp2: it is statically linked: no library can be loaded into it; link it dynamically
#: younger-gcc
# what a younger gcc calls: taskwait depend nowait is a task; an unknown entry point is named in the report
cat > younger.c <<'C'
/* gcc 13's libgomp in small: an empty task that waits for nobody but others wait for */
void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, _Bool, unsigned,
               void **, int, void *);
static void nothing(void *block) { (void)block; }
void GOMP_taskwait_depend_nowait(void **depend)
{
	GOMP_task(nothing, "", 0, 0, 1, 1, 8, depend, 0, 0);
}
int GOMP_of_the_future(int x) { return x; }
C
cat > program.c <<'C'
#include <stdint.h>
#include <stdio.h>
void GOMP_taskwait_depend_nowait(void **depend);
int GOMP_of_the_future(int x);
int main(void)
{
	int x = 0, y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(x) depend(out : x)
		x = GOMP_of_the_future(1);
		/* taskwait depend(in: x) depend(out: y) nowait */
		void *depend[] = {(void *)(uintptr_t)2, (void *)(uintptr_t)1, &y, &x};
		GOMP_taskwait_depend_nowait(depend);
#pragma omp task shared(x) depend(in : y)
		x++;
	}
	printf("%d\n", x);
}
C
gcc -shared -fPIC -O1 -o libyounger.so younger.c -lgomp
gcc -g -fopenmp -o program program.c ./libyounger.so
./program
winnow record -o t ./program 2> talk.txt
winnow check --quiet t
winnow report --json t | jq -c '[.graph.explicit_tasks, .graph.dependences], (.fidelity[] | select(.construct == "runtime") | .note)'
#= stdout
#| 2
#| 2
#| [3,2]
#| "GOMP_of_the_future, imported by the program, is an entry point that this version of Winnow does not know: threads may wait or create tasks there unrecorded: no verdict and no findings"

#: memory-cost
# the recorder takes less than a megabyte of a program's address space
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_THREAD_LIMIT=1
plain=$(./limits peak)
recorded=$(winnow record ./limits peak 2> /dev/null)
# a kB of /proc is 1024 bytes
test $((recorded - plain)) -lt 1024 || echo "$((recorded - plain)) kB"
#: no-memory
# a program that has used up all its memory goes on, and the line says what is missing
(ulimit -v 100000; exec winnow --version) > version 2>&1 || { echo "winnow itself needs more, with a sanitizer"; exit 77; }
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_THREAD_LIMIT=1
for keep in 0 8 64; do
	status=0
	(ulimit -v 100000; exec winnow record -o t ./limits memory $keep) 2> talk || status=$?
	test $status -eq 3
	grep -q -e 'no memory' -e 'Cannot allocate memory' talk || cat talk
done
#= stdout
#| tasks 100
#| tasks 100
#| tasks 100
#: short-threads
# a trace of many threads that do little is mostly holes, and the line says so
cp "$COMPILED/cli-short_threads.c.gcc" short_threads
winnow record -o t ./short_threads
test "$(stat -c %s t)" -gt 20000000
test "$(($(stat -c %b t) * 512))" -lt 4000000 || { echo "this file system knows no holes"; exit 77; }
#= stderr glob
#| winnow record: t: * MB (26.* MB with holes), * grains, libgomp by wrapping, complete*
#: small-stack
# a limit of the stack that is enough for the program is enough for what records it
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_STACKSIZE=128k
for kb in 32 64; do
	status=0
	(ulimit -s $kb; exec winnow record -o t ./limits) 2> talk || status=$?
	test $status -eq 3
	grep -q complete talk
done
#= stdout
#| tasks 200
#| tasks 200
#: some-not-recorded
# processes of which some could not be recorded: a line says how many, and why the first one
cp "$COMPILED/cli-omp.c.gcc" omp
if (ulimit -n 16; ulimit -n 64) 2> /dev/null; then
	echo "limits may be raised here"
	exit 77
fi
winnow record -o t sh -c './omp; ulimit -n 15; ./omp; ./omp'
#= stdout
#| sum 55
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: t: *, libgomp by wrapping, *
#| winnow record: not recorded: 2 processes more, as the recorder could not start: the first was process [0-9]*: create: Too many open files
