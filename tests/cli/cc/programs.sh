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
