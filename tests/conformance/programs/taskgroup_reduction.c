/* SPDX-License-Identifier: MIT */
// construct: taskgroup, task_reduction
// expect: explicit_tasks=4
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += i;
		}
	}
	expect(sum == 6);
	return done();
}
