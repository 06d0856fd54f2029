/* SPDX-License-Identifier: MIT */
// construct: taskwait depend, nowait
// expect: explicit_tasks=3 dependences=2
// expect ompt: explicit_tasks=2 dependences=0
// na gcc: gcc 12 does not know it
// na clang-14,libomp-14: clang 14 does not know it
// na clang-14,libomp-16: clang 14 does not know it
// na pomp2: gcc 12 does not know it
#include "../conformance.h"

/* By the standard it is an empty task. libomp 19 is handed nowait and waits all the same. */
int
main(void)
{
	int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(x) depend(out : x)
		x = 1;
#pragma omp taskwait depend(in : x) depend(out : y) nowait
#pragma omp task shared(x) depend(in : y)
		x++;
	}
	expect(x == 2);
	return done();
}
