/* SPDX-License-Identifier: MIT */
// construct: nest lock
// expect: parallel_regions=1
// events: MUTEX_WAIT nest-lock=T
// events: MUTEX_RELEASED nest-lock=T
// place: implicit @implicit=1..
// place: nest-lock @nest_lock2=1..
#include "../conformance.h"

int
main(void)
{
	omp_nest_lock_t lock;
	omp_init_nest_lock(&lock);
#pragma omp parallel // @implicit
	{
		omp_set_nest_lock(&lock); // @nest_lock2
		work();
		omp_unset_nest_lock(&lock);
	}
	omp_destroy_nest_lock(&lock);
	return done();
}
