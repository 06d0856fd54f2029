/* SPDX-License-Identifier: MIT */
// construct: taskloop, in a team of one
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel num_threads(1) // @implicit
#pragma omp single
#pragma omp taskloop grainsize(4) // @taskloop2
	for (int i = 0; i < 20; i++)
		work();
	return done();
}
