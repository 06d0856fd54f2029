/* SPDX-License-Identifier: MIT */
// construct: task, untied
// expect: explicit_tasks=6
// place: task @outer=2
// place: task @inner=2
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task untied // @outer
		{
#pragma omp task untied // @inner
			work();
#pragma omp taskyield
#pragma omp task untied
			work();
#pragma omp taskwait
		}
	}
	return done();
}
