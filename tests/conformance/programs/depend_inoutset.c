/* SPDX-License-Identifier: MIT */
// na gcc: gcc 12 does not know it
// na pomp2: gcc 12 does not know it
// construct: task, depend(inoutset)
// expect: explicit_tasks=4 dependences=4
// limit pomp2: dependences: depend
// na clang-14,libomp-14: clang 14 does not know it
// na clang-14,libomp-16: clang 14 does not know it
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
// place: task @task5=1..
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
#pragma omp task depend(inoutset : x) // @task3
		work();
#pragma omp task depend(inoutset : x) // @task4
		work();
#pragma omp task depend(in : x) // @task5
		expect(x == 1);
	}
	return done();
}
