/* SPDX-License-Identifier: MIT */
// construct: task, depend(depobj)
// expect: explicit_tasks=2 dependences=1
// limit pomp2: dependences: depend
#include "../conformance.h"

int
main(void)
{
	int x = 0;
	omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(depobj : d)
		x = 1;
#pragma omp task depend(in : x)
		expect(x == 1);
	}
#pragma omp depobj(d) destroy
	return done();
}
