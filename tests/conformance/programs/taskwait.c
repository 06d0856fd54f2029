/* SPDX-License-Identifier: MIT */
// construct: taskwait
// expect: explicit_tasks=4 fork_joins=3
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task
		work();
#pragma omp task
		work();
#pragma omp taskwait
#pragma omp taskwait
	}
	return done();
}
