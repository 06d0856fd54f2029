/* SPDX-License-Identifier: MIT */
// construct: masked
// expect: explicit_tasks=1
// events: WORK_BEGIN masked=1
// limit libgomp: events: masked
// limit pomp2: events: masked
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp masked
	{
#pragma omp task
		work();
	}
	return done();
}
