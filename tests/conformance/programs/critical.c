/* SPDX-License-Identifier: MIT */
// construct: critical
// expect: parallel_regions=1
// events: MUTEX_WAIT critical=5*T
// events: MUTEX_ACQUIRED=5*T
// events: MUTEX_RELEASED critical=5*T
// place: implicit @implicit=1..
// place: critical @critical=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	for (int i = 0; i < 5; i++) {
#pragma omp critical // @critical
		work();
	}
	return done();
}
