/* SPDX-License-Identifier: MIT */
// construct: taskloop, negative step
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop grainsize(2) // @taskloop2
	for (long i = 20; i > 0; i -= 2)
		work();
	return done();
}
