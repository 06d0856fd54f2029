/* SPDX-License-Identifier: MIT */
// construct: task, outliving its parent
// expect: explicit_tasks=6
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task
		{
#pragma omp task
			work();
#pragma omp task
			work();
		}
	}
	return done();
}
