/* SPDX-License-Identifier: MIT */
// construct: taskloop, num_tasks
// expect: taskloop_tasks=6
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop num_tasks(6) // @taskloop2
	for (int i = 0; i < 20; i++)
		work();
	return done();
}
