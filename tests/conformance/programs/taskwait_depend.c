/* SPDX-License-Identifier: MIT */
// construct: taskwait depend
// expect: explicit_tasks=2
// events: SYNC_BEGIN depend=1
// limit pomp2: events: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
#include "../conformance.h"

int
main(void)
{
	int x = 0, y = 0;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp task depend(out : x) // @task2
		x = 1;
#pragma omp task depend(out : y) // @task3
		y = 1;
#pragma omp taskwait depend(in : x)
		expect(x == 1);
	}
	return done();
}
