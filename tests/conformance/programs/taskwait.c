/* SPDX-License-Identifier: MIT */
// construct: taskwait
// expect: explicit_tasks=4 fork_joins=3
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task // @task2
		work();
#pragma omp task // @task3
		work();
#pragma omp taskwait
#pragma omp taskwait
	}
	return done();
}
