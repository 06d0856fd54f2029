/* SPDX-License-Identifier: MIT */
// construct: task, if(0)
// expect: explicit_tasks=4
// place: task @outer=2
// place: task @inner=2
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task if (0) // @outer
		{
#pragma omp task // @inner
			work();
		}
	}
	return done();
}
