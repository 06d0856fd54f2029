/* SPDX-License-Identifier: MIT */
/* Taskloops. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: taskloop, in a team of one
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
PROGRAM(taskloop_alone)
{
#pragma omp parallel num_threads(1) // @implicit
#pragma omp single
#pragma omp taskloop grainsize(4) // @taskloop2
	for (int i = 0; i < 20; i++)
		work();
	return done();
}

// construct: taskloop, collapse
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
PROGRAM(taskloop_collapse)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop collapse(2) grainsize(4) // @taskloop2
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 4; k++)
			work();
	return done();
}

// construct: taskloop, negative step
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
PROGRAM(taskloop_down)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop grainsize(2) // @taskloop2
	for (long i = 20; i > 0; i -= 2)
		work();
	return done();
}

// construct: taskloop, grainsize
// expect: taskloop_tasks=5
// place: taskloop @taskloop=5
// limit pomp2: taskloop_tasks,place: taskloop
PROGRAM(taskloop_grainsize)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4) // @taskloop
	for (int i = 0; i < 20; i++)
		work();
	return done();
}

// construct: taskloop, so many tasks that the runtime splits
// expect: taskloop_tasks=200
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
PROGRAM(taskloop_many)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop num_tasks(200) // @taskloop2
	for (int i = 0; i < 400; i++)
		work();
	return done();
}

// construct: taskloop, nogroup
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
PROGRAM(taskloop_nogroup)
{
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp taskloop grainsize(4) nogroup // @taskloop2
		for (int i = 0; i < 20; i++)
			work();
	}
	return done();
}

// construct: taskloop, num_tasks
// expect: taskloop_tasks=6
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
PROGRAM(taskloop_num_tasks)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop num_tasks(6) // @taskloop2
	for (int i = 0; i < 20; i++)
		work();
	return done();
}

// construct: taskloop, nogroup, large, in a task that ends
// expect: explicit_tasks=3 taskloop_tasks=800
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: task @task=2..2
// place: task @member=1..1
// place: taskloop @taskloop=800..800
//
// Runtimes divide large taskloops by tasks of their own, which go on when the task that met the
// taskloop has ended, or is in a taskgroup that is none of the taskloop's.

static void
loop(void)
{
#pragma omp taskloop num_tasks(400) nogroup // @taskloop
	for (int i = 0; i < 400; i++)
		work();
}

PROGRAM(taskloop_outlives)
{
#pragma omp parallel // @implicit
#pragma omp single
	{
		for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(i) // @task
			{
				loop();
				if (i == 1) {
#pragma omp taskgroup
					{
#pragma omp task // @member
						work();
					}
				}
			}
		}
	}
	return done();
}

// construct: taskloop, reduction
// expect: taskloop_tasks=5
// limit pomp2: taskloop_tasks,place: taskloop
// place: implicit @implicit=1..
// place: taskloop @taskloop2=1..
PROGRAM(taskloop_reduction)
{
	int sum = 0;
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskloop grainsize(4) reduction(+ : sum) // @taskloop2
	for (int i = 0; i < 20; i++)
		sum += i;
	expect(sum == 190);
	return done();
}
