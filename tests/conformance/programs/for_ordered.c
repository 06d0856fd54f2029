/* SPDX-License-Identifier: MIT */
// construct: for, ordered
// expect: loops=1 chunks=9
// expect ompt: chunks=(T==1)?1:9
// place: chunk @loop=9
// place ompt: chunk @loop=(T==1)?1:9
// events: MUTEX_WAIT ordered=18
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
	{
		work();
#pragma omp for ordered schedule(dynamic, 2) // @loop
		for (int i = 0; i < 18; i++) {
#pragma omp ordered
			work();
		}
	}
	return done();
}
