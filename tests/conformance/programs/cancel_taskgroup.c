/* SPDX-License-Identifier: MIT */
// construct: cancel taskgroup
// expect: explicit_tasks=8
// events: CANCEL.* taskgroup.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
// place: task @task2=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 8; i++) {
#pragma omp task // @task2
		{
			work();
			if (i == 2) {
#pragma omp cancel taskgroup
			}
		}
	}
	return done();
}
