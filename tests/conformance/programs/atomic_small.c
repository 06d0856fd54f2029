/* SPDX-License-Identifier: MIT */
// construct: atomic, of a machine word
// expect: parallel_regions=1
// events: MUTEX_WAIT atomic=5*T
// limit libgomp: events,place: atomic
// limit ompt: events,place: atomic
#include "../conformance.h"

int
main(void)
{
	static int sum;
#pragma omp parallel
	for (int i = 0; i < 5; i++) {
#pragma omp atomic
		sum += 1;
	}
	return done();
}
