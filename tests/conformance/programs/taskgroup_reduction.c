/* SPDX-License-Identifier: MIT */
// construct: taskgroup, task_reduction
// expect: explicit_tasks=4
// place: implicit @implicit=1..
// place: task @task2=1..
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum) // @task2
			sum += i;
		}
	}
	expect(sum == 6);
	return done();
}
