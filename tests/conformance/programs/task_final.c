/* SPDX-License-Identifier: MIT */
// construct: task, final
// expect: explicit_tasks=6
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task final(1) // @task2
		{
#pragma omp task // @task3
			work();
#pragma omp task // @task4
			work();
		}
	}
	return done();
}
