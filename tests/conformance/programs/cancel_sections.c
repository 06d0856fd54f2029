/* SPDX-License-Identifier: MIT */
// construct: cancel sections
// expect: parallel_regions=1
// events: CANCEL.* sections.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp sections
		{
#pragma omp section
			{
				work();
#pragma omp cancel sections
			}
#pragma omp section
			work();
		}
	}
	return done();
}
