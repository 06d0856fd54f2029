/* SPDX-License-Identifier: MIT */
// construct: task, depend with if(0)
// expect: explicit_tasks=3 dependences=2
// limit pomp2: dependences: depend
#include "../conformance.h"

int
main(void)
{
	int x = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : x)
		x = 1;
#pragma omp task depend(inout : x) if (0)
		x++;
#pragma omp task depend(in : x)
		expect(x == 2);
	}
	return done();
}
