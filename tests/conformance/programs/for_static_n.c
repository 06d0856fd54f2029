/* SPDX-License-Identifier: MIT */
// construct: for, static, N
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// limit libgomp: loops,chunks,range: static
// limit pomp2: chunks,range,place: chunks and iterations
// range: 0 18
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
		work();
#pragma omp for schedule(static, 4) // @loop
		for (int i = 0; i < 18; i++) {
			work();
		}
	}
	return done();
}
