/* SPDX-License-Identifier: MIT */
// construct: cancel for
// expect: loops=1
// events: CANCEL.* loop.*activated=1..
// env: OMP_CANCELLATION=true
// limit pomp2: events: cancel
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++) {
			work();
			if (i == 3) {
#pragma omp cancel for
			}
		}
	}
	return done();
}
