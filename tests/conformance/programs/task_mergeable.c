/* SPDX-License-Identifier: MIT */
// construct: task, mergeable and priority
// expect: explicit_tasks=3
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task mergeable priority(2)
		work();
	}
	return done();
}
