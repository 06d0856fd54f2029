/* SPDX-License-Identifier: MIT */
// construct: cancel taskgroup
// expect: explicit_tasks=8
// events: CANCEL.* taskgroup.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 8; i++) {
#pragma omp task
		{
			work();
			if (i == 2) {
#pragma omp cancel taskgroup
			}
		}
	}
	return done();
}
