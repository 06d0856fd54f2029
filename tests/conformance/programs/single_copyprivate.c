/* SPDX-License-Identifier: MIT */
// construct: single, copyprivate
// expect: explicit_tasks=0
// events: WORK_BEGIN single-executor=1
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
	int value = 0;
#pragma omp parallel firstprivate(value) // @implicit
	{
#pragma omp single copyprivate(value)
		value = 7;
		expect(value == 7);
	}
	return done();
}
