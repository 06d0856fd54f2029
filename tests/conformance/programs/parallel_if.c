/* SPDX-License-Identifier: MIT */
// construct: parallel, if(0): a team of one
// expect: parallel_regions=1 implicit_tasks=1 explicit_tasks=2
// place: task @task=1
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel if (0)
	{
#pragma omp task // @task
		work();
#pragma omp task
		work();
	}
	return done();
}
