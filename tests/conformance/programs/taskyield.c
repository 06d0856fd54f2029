/* SPDX-License-Identifier: MIT */
// construct: taskyield
// expect: explicit_tasks=3
// place: implicit @implicit=1..
// place: task @task2=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task // @task2
		{
			work();
#pragma omp taskyield
			work();
		}
	}
	return done();
}
