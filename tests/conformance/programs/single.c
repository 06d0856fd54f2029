/* SPDX-License-Identifier: MIT */
// construct: single
// expect: explicit_tasks=3 parallel_regions=1
// place: task @task=3
// events: WORK_BEGIN single-executor=1
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task // @task
		work();
	}
	return done();
}
