/* SPDX-License-Identifier: MIT */
// construct: masked
// expect: explicit_tasks=1
// events: WORK_BEGIN masked=1
// limit libgomp: events: masked
// limit pomp2: events: masked
// place: implicit @implicit=1..
// place: task @task2=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp masked
	{
#pragma omp task // @task2
		work();
	}
	return done();
}
