/* SPDX-License-Identifier: MIT */
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
#include "../conformance.h"

static void
loop(void)
{
#pragma omp taskloop num_tasks(400) nogroup // @taskloop
	for (int i = 0; i < 400; i++)
		work();
}

int
main(void)
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
