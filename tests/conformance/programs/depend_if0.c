/* SPDX-License-Identifier: MIT */
// construct: task, depend with if(0)
// expect: explicit_tasks=3 dependences=2
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
#include "../conformance.h"

int
main(void)
{
	int x = 0;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp task depend(out : x) // @task2
		x = 1;
#pragma omp task depend(inout : x) if (0) // @task3
		x++;
#pragma omp task depend(in : x) // @task4
		expect(x == 2);
	}
	return done();
}
