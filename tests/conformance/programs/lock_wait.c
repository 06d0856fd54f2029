/* SPDX-License-Identifier: MIT */
// construct: lock, nest lock, critical: waited for
// expect: parallel_regions=1
// waits: lock=5000000..
// waits: nest-lock=5000000..
// waits: critical=5000000..
#include "../conformance.h"

#include <sched.h>
#include <time.h>

static int n_held, n_asked;

static void
wait_until(const int *counter, int n)
{
	while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) < n)
		sched_yield();
}

/* The first thread has the mutex; it keeps it until the other one has long been waiting. */
static void
hold(int n)
{
	struct timespec pause = {.tv_nsec = 60000000};
	__atomic_store_n(&n_held, n, __ATOMIC_SEQ_CST);
	wait_until(&n_asked, n);
	nanosleep(&pause, NULL);
}

/* The second thread is about to ask for it. */
static void
ask(int n)
{
	wait_until(&n_held, n);
	__atomic_store_n(&n_asked, n, __ATOMIC_SEQ_CST);
}

int
main(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
	{
		int is_first = omp_get_thread_num() == 0;
		expect(omp_get_num_threads() == 2);
		if (!is_first)
			ask(1);
		omp_set_lock(&lock);
		if (is_first)
			hold(1);
		omp_unset_lock(&lock);
		if (!is_first)
			ask(2);
		omp_set_nest_lock(&nest);
		if (is_first)
			hold(2);
		omp_unset_nest_lock(&nest);
		if (!is_first)
			ask(3);
#pragma omp critical
		if (is_first)
			hold(3);
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	return done();
}
