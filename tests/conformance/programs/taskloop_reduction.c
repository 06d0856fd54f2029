/* SPDX-License-Identifier: MIT */
// construct: taskloop, reduction
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4) reduction(+ : sum)
	for (int i = 0; i < 20; i++)
		sum += i;
	expect(sum == 190);
	return done();
}
