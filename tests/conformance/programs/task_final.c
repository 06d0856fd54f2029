/* SPDX-License-Identifier: MIT */
// construct: task, final
// expect: explicit_tasks=6
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task final(1)
		{
#pragma omp task
			work();
#pragma omp task
			work();
		}
	}
	return done();
}
