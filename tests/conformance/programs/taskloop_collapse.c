/* SPDX-License-Identifier: MIT */
// construct: taskloop, collapse
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) grainsize(4)
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 4; k++)
			work();
	return done();
}
