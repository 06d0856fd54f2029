/* SPDX-License-Identifier: MIT */
/* Blocks that some threads run. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: single
// expect: explicit_tasks=3 parallel_regions=1
// place: task @task=3
// events: WORK_BEGIN single-executor=1
PROGRAM(single)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task // @task
		work();
	}
	return done();
}

// construct: single, copyprivate
// expect: explicit_tasks=0
// events: WORK_BEGIN single-executor=1
// place: implicit @implicit=1..
PROGRAM(single_copyprivate)
{
	int value = 0;
#pragma omp parallel firstprivate(value) // @implicit
	{
#pragma omp single copyprivate(value)
		value = 7;
		expect(value == 7);
	}
	return done();
}

// construct: sections
// expect: sections=3
// limit ompt: sections: section
// limit libgomp: place: line tables
// place: section @sections=3
// place: implicit @implicit=1..
PROGRAM(sections)
{
#pragma omp parallel // @implicit
	{
#pragma omp sections // @sections
		{
#pragma omp section
			work();
#pragma omp section
			work();
#pragma omp section
			work();
		}
	}
	return done();
}

// construct: parallel sections
// expect: sections=2 parallel_regions=1
// limit ompt: sections: section
// place: implicit @implicit=1..
PROGRAM(sections_combined)
{
#pragma omp parallel sections // @implicit
	{
#pragma omp section
		work();
#pragma omp section
		work();
	}
	return done();
}

// construct: master
// expect: explicit_tasks=1
// events: WORK_BEGIN masked=1
// limit libgomp: events: masked
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(master)
{
#pragma omp parallel // @implicit
#pragma omp master
	{
#pragma omp task // @task2
		work();
	}
	return done();
}

// construct: masked
// expect: explicit_tasks=1
// events: WORK_BEGIN masked=1
// limit libgomp: events: masked
// limit pomp2: events: masked
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(masked)
{
#pragma omp parallel // @implicit
#pragma omp masked
	{
#pragma omp task // @task2
		work();
	}
	return done();
}
