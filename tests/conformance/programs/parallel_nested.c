/* SPDX-License-Identifier: MIT */
// construct: parallel, nested
// expect: parallel_regions=1+T implicit_tasks=T+2*T grains=0
// place: implicit @inner=2*T
// env: OMP_MAX_ACTIVE_LEVELS=2
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp parallel num_threads(2) // @inner
	work();
	return done();
}
