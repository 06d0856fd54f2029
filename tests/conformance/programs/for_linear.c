/* SPDX-License-Identifier: MIT */
// construct: for, linear and lastprivate
// expect: loops=1 chunks=3
// expect ompt: chunks=(T==1)?1:3
// range: 0 12
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
	int last = 0, step = 0;
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4) lastprivate(last) linear(step : 2)
		for (int i = 0; i < 12; i++) {
			work();
			last = i;
			step += 2;
		}
	}
	(void)last; /* clang loses both values now and then, recorded or not */
	(void)step;
	return done();
}
