/* SPDX-License-Identifier: MIT */
// construct: task, depend(in, out, inout)
// expect: explicit_tasks=4 dependences=4
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
#pragma omp task depend(in : x)
		expect(x == 1);
#pragma omp task depend(in : x)
		expect(x == 1);
#pragma omp task depend(inout : x)
		x++;
	}
	return done();
}
