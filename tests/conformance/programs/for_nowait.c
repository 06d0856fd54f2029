/* SPDX-License-Identifier: MIT */
// construct: for, nowait
// expect: loops=2 chunks=18
// expect ompt: chunks=(T==1)?2:18
// limit pomp2: chunks: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 2) nowait
		for (int i = 0; i < 18; i++)
			work();
#pragma omp for schedule(dynamic, 2) nowait
		for (int i = 0; i < 18; i++)
			work();
	}
	return done();
}
