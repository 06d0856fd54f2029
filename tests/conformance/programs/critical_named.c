/* SPDX-License-Identifier: MIT */
// construct: critical, named
// expect: parallel_regions=1
// events: MUTEX_WAIT critical=2*T
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp critical(one)
		work();
#pragma omp critical(two)
		work();
	}
	return done();
}
