/* SPDX-License-Identifier: MIT */
// construct: master
// expect: explicit_tasks=1
// events: WORK_BEGIN masked=1
// limit libgomp: events: masked
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp master
	{
#pragma omp task
		work();
	}
	return done();
}
