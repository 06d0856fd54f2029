/* SPDX-License-Identifier: MIT */
// construct: atomic
// expect: parallel_regions=1
// events: MUTEX_WAIT atomic=5*T
// limit libgomp: place: line tables
// na ompt: the compiler calls libatomic, and the runtime not at all
// place: implicit @implicit=1..
// place: atomic @atomic2=1..
#include "../conformance.h"

int
main(void)
{
	static long double sum;
#pragma omp parallel // @implicit
	for (int i = 0; i < 5; i++) {
#pragma omp atomic // @atomic2
		sum += 1;
	}
	return done();
}
