/* SPDX-License-Identifier: MIT */
// construct: taskgroup
// expect: explicit_tasks=5
// limit pomp2: fork_joins: taskgroup
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task
			{
#pragma omp task
				work();
#pragma omp task
				work();
			}
#pragma omp task
			work();
		}
#pragma omp task
		work();
	}
	return done();
}
