/* SPDX-License-Identifier: MIT */
// construct: taskloop, so many tasks that the runtime splits
// expect: taskloop_tasks=200
// limit pomp2: taskloop_tasks,place: taskloop
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(200)
	for (int i = 0; i < 400; i++)
		work();
	return done();
}
