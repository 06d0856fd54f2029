/* SPDX-License-Identifier: MIT */
/* Dependences. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: task, depend(in, out, inout)
// expect: explicit_tasks=4 dependences=4
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
// place: task @task5=1..
PROGRAM(depend)
{
	int x = 0;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp task depend(out : x) // @task2
		x = 1;
#pragma omp task depend(in : x) // @task3
		expect(x == 1);
#pragma omp task depend(in : x) // @task4
		expect(x == 1);
#pragma omp task depend(inout : x) // @task5
		x++;
	}
	return done();
}

// construct: task, depend with if(0)
// expect: explicit_tasks=3 dependences=2
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
PROGRAM(depend_if0)
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

// construct: task, depend with an iterator
// expect: explicit_tasks=4 dependences=3
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
PROGRAM(depend_iterator)
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
PROGRAM(depend_sets)
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

// construct: task, depend(depobj)
// expect: explicit_tasks=2 dependences=1
// limit pomp2: dependences: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
PROGRAM(depobj)
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
