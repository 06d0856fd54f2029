/* SPDX-License-Identifier: MIT */
// construct: for, negative step
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// range: 0 9
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = 20; i > 2; i -= 2)
			work();
	}
	return done();
}
