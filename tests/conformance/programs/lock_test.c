/* SPDX-License-Identifier: MIT */
// construct: lock, tested
// expect: explicit_tasks=T
// events: MUTEX_WAIT lock=2*T
// events: MUTEX_ACQUIRED=2*T
// events: MUTEX_RELEASED lock=2*T
// place: implicit @implicit=1..
// place: lock @lock2=1..
// place: task @task3=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
		omp_lock_t lock;
		omp_init_lock(&lock);
		/* the test in another task is in vain, and waits for nobody */
		omp_set_lock(&lock); // @lock2
#pragma omp task if (0) shared(lock) // @task3
		expect(!omp_test_lock(&lock));
		omp_unset_lock(&lock);
		expect(omp_test_lock(&lock));
		omp_unset_lock(&lock);
		omp_destroy_lock(&lock);
	}
	return done();
}
