/* SPDX-License-Identifier: MIT */
// na pomp2: OPARI2 cannot take it; winnow cc says so
// construct: for, reduction(task)
// expect: loops=1 chunks=3 explicit_tasks=12
// expect ompt: chunks=(T==1)?1:3
// limit pomp2: chunks: chunks and iterations
// place: implicit @implicit=1..
// place: task @task2=1..
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4) reduction(task, + : sum)
		for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(+ : sum) // @task2
			sum += i;
		}
	}
	expect(sum == 66);
	return done();
}
