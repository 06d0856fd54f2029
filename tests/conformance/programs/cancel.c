/* SPDX-License-Identifier: MIT */
/* Cancellation. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: cancel for
// expect: loops=1
// events: CANCEL.* loop.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
PROGRAM(cancel_for)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++) {
			work();
			if (i == 3) {
#pragma omp cancel for
			}
		}
	}
	return done();
}

// construct: cancel parallel
// expect: parallel_regions=1
// events: CANCEL.* parallel.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
PROGRAM(cancel_parallel)
{
#pragma omp parallel // @implicit
	{
		work();
#pragma omp cancel parallel
		work();
	}
	return done();
}

// construct: cancel sections
// expect: parallel_regions=1
// events: CANCEL.* sections.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
PROGRAM(cancel_sections)
{
#pragma omp parallel // @implicit
	{
#pragma omp sections
		{
#pragma omp section
			{
				work();
#pragma omp cancel sections
			}
#pragma omp section
			work();
		}
	}
	return done();
}

// construct: cancel taskgroup
// expect: explicit_tasks=8
// events: CANCEL.* taskgroup.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(cancel_taskgroup)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 8; i++) {
#pragma omp task // @task2
		{
			work();
			if (i == 2) {
#pragma omp cancel taskgroup
			}
		}
	}
	return done();
}
