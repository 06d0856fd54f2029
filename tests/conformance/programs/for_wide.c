/* SPDX-License-Identifier: MIT */
// construct: for, 64-bit variable
// expect: loops=1 chunks=3
// expect ompt: chunks=(T==1)?1:3
// range: 0 12
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4)
		for (unsigned long long i = 18000000000000000000ull; i < 18000000000000000012ull;
		     i++)
			work();
	}
	return done();
}
