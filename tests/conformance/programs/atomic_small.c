/* SPDX-License-Identifier: MIT */
// construct: atomic, of a machine word
// expect: parallel_regions=1
// events: MUTEX_WAIT atomic=5*T
// na libgomp: the compiler makes one instruction of it
// na ompt: the compiler makes one instruction of it
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
