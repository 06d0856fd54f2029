/* SPDX-License-Identifier: MIT */
// construct: task, depend(mutexinoutset, inoutset)
// expect: explicit_tasks=6 dependences=6
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
// place: task @task5=1..
// place: task @task6=1..
// place: task @task7=1..
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
#pragma omp task depend(mutexinoutset : x) // @task3
		x++;
#pragma omp task depend(mutexinoutset : x) // @task4
		x++;
#pragma omp task depend(in : x) depend(out : y) // @task5
		expect(x == 3);
#pragma omp task depend(in : y) // @task6
		work();
#pragma omp task depend(in : y) // @task7
		work();
	}
	return done();
}
