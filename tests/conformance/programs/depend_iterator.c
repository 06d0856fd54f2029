/* SPDX-License-Identifier: MIT */
// construct: task, depend with an iterator
// expect: explicit_tasks=4 dependences=3
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
#include "../conformance.h"

int
main(void)
{
	int x[3] = {0};
#pragma omp parallel // @implicit
#pragma omp single
	{
		for (int i = 0; i < 3; i++) {
#pragma omp task depend(out : x[i]) // @task2
			x[i] = 1;
		}
#pragma omp task depend(iterator(int k = 0 : 3), in : x[k]) // @task3
		expect(x[0] + x[1] + x[2] == 3);
	}
	return done();
}
