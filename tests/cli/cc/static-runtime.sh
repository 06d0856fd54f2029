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
