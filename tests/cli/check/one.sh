# one of a thing is not called several
cat > one.c <<'END'
#include <stdlib.h>
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp task
	exit(0);
}
END
gcc -fopenmp -o one one.c
winnow record ./one > /dev/null 2>&1
winnow check one.winnow
#= stdout glob
#| trace: format 1.5, 1 thread, * events, * bytes, closed: whole
#| 1 task never completed
#| recording: ended inside a parallel region
#| graph: 2 fork-joins with children (2 opened), * joins, * fragments: all laws hold
#| groups: * of 2 grains: all laws hold
