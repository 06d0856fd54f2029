/* SPDX-License-Identifier: MIT */
// construct: taskgroup
// expect: explicit_tasks=5
// limit pomp2: fork_joins: taskgroup
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
// place: task @task5=1..
// place: task @task6=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task // @task2
			{
#pragma omp task // @task3
				work();
#pragma omp task // @task4
				work();
			}
#pragma omp task // @task5
			work();
		}
#pragma omp task // @task6
		work();
	}
	return done();
}
