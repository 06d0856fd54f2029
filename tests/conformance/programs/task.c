/* SPDX-License-Identifier: MIT */
// construct: task
// expect: explicit_tasks=4 fork_joins=2
// place: task @task=4
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 4; i++) {
#pragma omp task // @task
		work();
	}
	return done();
}
