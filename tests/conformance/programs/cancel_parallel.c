/* SPDX-License-Identifier: MIT */
// construct: cancel parallel
// expect: parallel_regions=1
// events: CANCEL.* parallel.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
	{
		work();
#pragma omp cancel parallel
		work();
	}
	return done();
}
