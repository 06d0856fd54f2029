/* SPDX-License-Identifier: MIT */
// construct: target nowait, a target task
// expect: parallel_regions=1
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
	int x = 1;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp target nowait map(tofrom : x) depend(out : x)
		x++;
#pragma omp taskwait
	}
	expect(x == 2);
	return done();
}
