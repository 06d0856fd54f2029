#: count-alone
# options that go with --count, and one that does not
for options in "--footprint --" "--opari --count --"; do
	winnow cc $options clang empty.c 2>&1 || echo "status $?"
done
#= stdout
#| winnow cc: --footprint: only with --count
#| status 2
#| winnow cc: --opari and --count: OPARI2 counts nothing; give only one of them
#| status 2
#: count-gcc
# counting needs clang, and says what counts any program
echo 'int main(void) { return 0; }' > empty.c
winnow cc --count -- gcc empty.c -o empty
#= exit 2
#= stderr
#| winnow cc: gcc: not clang, which --count needs; 'winnow count' counts what any program executes, as it is
#: count-version
# a clang for which there is no plug-in is named with its version
printf '#!/bin/sh\necho "Some clang version 99.1.0"\n' > clang-99
chmod +x clang-99
echo 'int main(void) { return 0; }' > empty.c
winnow cc --count --footprint -- ./clang-99 empty.c -o empty
#= exit 1
#= stderr
#| winnow cc: ./clang-99: no plug-in for --count here (clang 99); 'winnow count' counts what any program executes, as it is
#: gcc-version
# the version of a gcc for which there is no plug-in is found in what each system's prints
echo 'int main(void) { return 0; }' > empty.c
named() {
	printf '#!/bin/sh\necho "%s"\necho "Copyright (C) 2099 Free Software Foundation, Inc."\n' "$1" > gcc-99
	chmod +x gcc-99
	winnow cc -- ./gcc-99 -fopenmp empty.c -o empty || :
}
named "gcc-99 (Debian 12.2.0-14+deb12u1) 99.2.0"
named "gcc (GCC) 98.1.1 20990425"
named "gcc (GCC) 97.2.1 20990912 (Red Hat 97.2.1-3)"
named "gcc-96 (SUSE Linux) 96.2.1 20990206 [revision 67ac78caf31f7cb3202177e6]"
named "GNU Fortran (Ubuntu 13.3.0-6ubuntu2~24.04 (x)) 95.3.0"
#= stderr
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 99); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 98); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 97); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 96); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 95); --opari works with any compiler
#: missing-compiler
# a compiler that does not exist is named
echo 'int main(void) { return 0; }' > plain.c
winnow cc --opari -- no-such-compiler -fopenmp plain.c
#= exit 1
#= stderr
#| winnow cc: no-such-compiler cannot be run: No such file or directory
#: no-compiler
# cc wants a compiler
winnow cc
#= exit 2
#= stderr
#| winnow cc: no compiler given; see 'winnow cc --help'
#: no-openmp
# a command without OpenMP runs as it is, and its status passes through
echo 'int main(void) { return 0; }' > plain.c
winnow cc --opari -- gcc plain.c -o plain
./plain
echo "$?"
winnow cc --opari -- gcc -DBAD=1 missing.c -o nothing 2> talk.txt || echo "status $?"
#= stdout
#| 0
#| status 1
#: refused
# what OPARI2 would break is refused with file and line, and nothing is compiled
cat > loop.c <<'C'
int x[9];
int main(void)
{
#pragma omp parallel for simd
	for (int i = 0; i < 9; i++)
		x[i] = i;
}
C
winnow cc --opari -- gcc -fopenmp -c loop.c
#= exit 2
#= stderr
#| winnow cc: loop.c:4: OPARI2 2.0.7 breaks `parallel for ... simd`: put `parallel` and `for simd` on two lines
#: warned
# compile errors are the user's own: file, line and status
printf 'int main(void)\n{\n#pragma omp parallel\n\tundefined();\n\treturn nothing;\n}\n' > bad.c
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -fopenmp -c bad.c 2> talk.txt || echo "status $?"
grep -c 'bad.c:5:.*error' talk.txt
#= stdout
#| status 1
#| 1
#: without-omp-h
# a program that does not include omp.h compiles without a warning, in C and in C++
cat > one.c <<'C'
int main(void)
{
	int n = 0;
#pragma omp parallel reduction(+ : n)
	n++;
	return n == 3 ? 0 : 1;
}
C
cp one.c one.cpp
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -Werror=implicit-function-declaration -fopenmp one.c -o one
OMP_NUM_THREADS=3 OMP_DYNAMIC=false ./one
winnow c++ --opari -- g++ -fopenmp one.cpp -o one++
OMP_NUM_THREADS=3 OMP_DYNAMIC=false ./one++

#: recorded
# a program built by cc --opari runs alone, and is recorded through its instrumentation
cat > fib.c <<'C'
#include <stdio.h>
static int fib(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a) if (n > 4)
	a = fib(n - 1);
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}
int main(void)
{
	int r = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	r = fib(10);
	printf("%d\n", r);
}
C
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -fopenmp -O1 -c fib.c
winnow cc --opari -- gcc -fopenmp fib.o -o fib
./fib
winnow record -o fib.winnow ./fib 2> talk.txt
winnow report --json fib.winnow | jq -c '[.program.source, .graph.explicit_tasks, (.sites[] | select(.line == 7) | .place), (.sites[0].file == "'"$PWD"'/fib.c")]'
winnow check --quiet fib.winnow
#= stdout
#| 55
#| 55
#| ["pomp2",88,"fib.c:7",true]
#: static-runtime
# a runtime that is linked statically shows nothing to others, and all to the instrumentation
cat > three.c <<'C'
#include <omp.h>
#include <stdio.h>
int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp critical
	puts("here");
}
C
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
library=$(gcc -print-file-name=libgomp.a)
[ "$library" != libgomp.a ] || { echo "libgomp.a is missing"; exit 77; }
mkdir static
ln -s "$library" static/libgomp.a
winnow cc --opari -- gcc -fopenmp -c three.c
winnow cc --opari -- gcc -fopenmp -Lstatic three.o -o three
ldd ./three | grep -c libgomp || true
winnow record -o three.winnow ./three 2> talk.txt
winnow report --json three.winnow | jq -c '[.program.source, .graph.implicit_tasks]'
#= stdout
#| 0
#| here
#| here
#| here
#| ["pomp2",3]
