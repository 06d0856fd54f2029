/* SPDX-License-Identifier: MIT */
// construct: for, runtime
// expect: loops=1 chunks=6
// expect ompt: chunks=(T==1)?1:6
// range: 0 18
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
	omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(runtime)
		for (int i = 0; i < 18; i++)
			work();
	}
	return done();
}
