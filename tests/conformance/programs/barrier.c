/* SPDX-License-Identifier: MIT */
// construct: barrier, explicit and implicit
// expect: explicit_tasks=2*T
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp task // @task2
		work();
#pragma omp barrier
#pragma omp task // @task3
		work();
	}
	return done();
}
