/* SPDX-License-Identifier: MIT */
// construct: task, depend(mutexinoutset, inoutset)
// expect: explicit_tasks=6 dependences=6
// limit pomp2: dependences: depend
#include "../conformance.h"

int
main(void)
{
	int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : x)
		x = 1;
#pragma omp task depend(mutexinoutset : x)
		x++;
#pragma omp task depend(mutexinoutset : x)
		x++;
#pragma omp task depend(in : x) depend(out : y)
		expect(x == 3);
#pragma omp task depend(in : y)
		work();
#pragma omp task depend(in : y)
		work();
	}
	return done();
}
