/* SPDX-License-Identifier: MIT */
// na ompt: the compiler calls the host version itself, and the runtime not at all
// na pomp2: the compiler calls the host version itself, and the runtime not at all
// construct: target, on the host
// expect: parallel_regions=0
#include "../conformance.h"

int
main(void)
{
	int x = 1;
#pragma omp target map(tofrom : x)
	x++;
	expect(x == 2);
	return done();
}
