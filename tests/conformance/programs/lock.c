/* SPDX-License-Identifier: MIT */
// construct: lock
// expect: parallel_regions=1
// events: MUTEX_WAIT lock=5*T
// events: MUTEX_RELEASED lock=5*T
// place: implicit @implicit=1..
// place: lock @lock2=1..
#include "../conformance.h"

int
main(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel // @implicit
	for (int i = 0; i < 5; i++) {
		omp_set_lock(&lock); // @lock2
		work();
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return done();
}
