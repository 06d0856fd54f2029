/* SPDX-License-Identifier: MIT */
// construct: for, dynamic, chunk size 1
// expect: loops=1 chunks=18
// expect ompt: chunks=(T==1)?1:18
// place: chunk @loop=18
// place ompt: chunk @loop=(T==1)?1:18
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
	{
		work();
#pragma omp for schedule(dynamic) // @loop
		for (int i = 0; i < 18; i++) {
			work();
		}
	}
	return done();
}
