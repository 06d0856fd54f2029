/* SPDX-License-Identifier: MIT */
// construct: barrier, explicit and implicit
// expect: explicit_tasks=2*T
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp task
		work();
#pragma omp barrier
#pragma omp task
		work();
	}
	return done();
}
