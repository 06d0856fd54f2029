/* SPDX-License-Identifier: MIT */
// construct: taskloop, collapse
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
#pragma omp taskloop collapse(2) grainsize(4) // @taskloop2
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 4; k++)
			work();
	return done();
}
