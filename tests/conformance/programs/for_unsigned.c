/* SPDX-License-Identifier: MIT */
// construct: for, unsigned variable
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
		for (unsigned i = 4000000000u; i < 4000000012u; i++)
			work();
	}
	return done();
}
