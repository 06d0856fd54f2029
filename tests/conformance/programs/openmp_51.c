/* SPDX-License-Identifier: MIT */
/* What gcc 12 and clang 14 do not know. */
#include "../../programs/several.h"
#include "../conformance.h"

// na gcc: not supported by gcc 12
// na pomp2: not supported by gcc 12
// construct: task, depend(inoutset)
// expect: explicit_tasks=4 dependences=4
// limit pomp2: dependences: depend
// na clang-14,libomp-14: not supported by clang 14
// na clang-14,libomp-16: not supported by clang 14
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
// place: task @task5=1..
PROGRAM(depend_inoutset)
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

/* By the standard it is an empty task. libomp 19 is handed nowait and waits all the same. */
// construct: taskwait depend, nowait
// expect: explicit_tasks=3 dependences=2
// expect ompt: explicit_tasks=2 dependences=0
// na gcc: not supported by gcc 12
// na clang-14,libomp-14: not supported by clang 14
// na clang-14,libomp-16: not supported by clang 14
// na pomp2: not supported by gcc 12
PROGRAM(taskwait_depend_nowait)
{
	int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(x) depend(out : x)
		x = 1;
#pragma omp taskwait depend(in : x) depend(out : y) nowait
#pragma omp task shared(x) depend(in : y)
		x++;
	}
	expect(x == 2);
	return done();
}
