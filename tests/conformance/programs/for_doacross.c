/* SPDX-License-Identifier: MIT */
// construct: for, doacross
// expect: loops=1 chunks=9
// expect ompt: chunks=(T==1)?1:9
// events: MUTEX_WAIT doacross=8..9
// na pomp2: OPARI2 cannot take it; winnow cc says so
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
	int x[10] = {0};
#pragma omp parallel // @implicit
	{
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (int i = 1; i < 10; i++) {
			work();
#pragma omp ordered depend(sink : i - 1)
			x[i] = x[i - 1] + 1;
#pragma omp ordered depend(source)
		}
	}
	expect(x[9] == 9);
	return done();
}
