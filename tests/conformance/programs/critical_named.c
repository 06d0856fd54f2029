/* SPDX-License-Identifier: MIT */
// construct: critical, named
// expect: parallel_regions=1
// events: MUTEX_WAIT critical=2*T
// place: implicit @implicit=1..
// place: critical @critical2=1..
// place: critical @critical3=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp critical(one) // @critical2
		work();
#pragma omp critical(two) // @critical3
		work();
	}
	return done();
}
