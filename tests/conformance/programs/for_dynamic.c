/* SPDX-License-Identifier: MIT */
// construct: for, dynamic
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// place: chunk @loop=5
// place ompt: chunk @loop=(T==1)?1:5
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
	{
		work();
#pragma omp for schedule(dynamic, 4) // @loop
		for (int i = 0; i < 18; i++) {
			work();
		}
	}
	return done();
}
