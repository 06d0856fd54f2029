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
