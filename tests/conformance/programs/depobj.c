/* SPDX-License-Identifier: MIT */
// construct: task, depend(depobj)
// expect: explicit_tasks=2 dependences=1
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
#include "../conformance.h"

int
main(void)
{
	int x = 0;
	omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp task depend(depobj : d) // @task2
		x = 1;
#pragma omp task depend(in : x) // @task3
		expect(x == 1);
	}
#pragma omp depobj(d) destroy
	return done();
}
