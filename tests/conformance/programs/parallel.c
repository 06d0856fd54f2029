/* SPDX-License-Identifier: MIT */
// construct: parallel
// expect: parallel_regions=1 implicit_tasks=T grains=0
// place: implicit @region=T
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @region
	work();
	return done();
}
