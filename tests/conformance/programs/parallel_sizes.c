/* SPDX-License-Identifier: MIT */
// construct: parallel, another number of threads each time
// expect: parallel_regions=3 implicit_tasks=1+2+3
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
	for (int n = 1; n <= 3; n++) {
#pragma omp parallel num_threads(n) // @implicit
		work();
	}
	return done();
}
