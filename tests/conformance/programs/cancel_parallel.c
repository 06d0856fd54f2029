/* SPDX-License-Identifier: MIT */
// construct: cancel parallel
// expect: parallel_regions=1
// events: CANCEL.* parallel.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
		work();
#pragma omp cancel parallel
		work();
	}
	return done();
}
