/* SPDX-License-Identifier: MIT */
// construct: taskloop, reduction
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop grainsize(4) reduction(+ : sum) // @taskloop2
	for (int i = 0; i < 20; i++)
		sum += i;
	expect(sum == 190);
	return done();
}
