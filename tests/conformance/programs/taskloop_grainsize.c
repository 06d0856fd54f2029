/* SPDX-License-Identifier: MIT */
// construct: taskloop, grainsize
// expect: taskloop_tasks=5
// place: taskloop @taskloop=5
// limit pomp2: taskloop_tasks,place: taskloop
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4) // @taskloop
	for (int i = 0; i < 20; i++)
		work();
	return done();
}
