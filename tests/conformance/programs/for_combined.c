/* SPDX-License-Identifier: MIT */
// construct: parallel for
// expect: parallel_regions=1 loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// range: 0 18
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel for schedule(dynamic, 4) // @implicit
	for (int i = 0; i < 18; i++)
		work();
	return done();
}
