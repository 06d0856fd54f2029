/* SPDX-License-Identifier: MIT */
// construct: taskloop, so many tasks that the runtime splits
// expect: taskloop_tasks=200
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop num_tasks(200) // @taskloop2
	for (int i = 0; i < 400; i++)
		work();
	return done();
}
