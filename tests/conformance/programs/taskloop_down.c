/* SPDX-License-Identifier: MIT */
// construct: taskloop, negative step
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2)
	for (long i = 20; i > 0; i -= 2)
		work();
	return done();
}
