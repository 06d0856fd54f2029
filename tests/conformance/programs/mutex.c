/* SPDX-License-Identifier: MIT */
/* Mutual exclusion. */
#include "../../programs/several.h"
#include "../conformance.h"

#include <sched.h>
#include <time.h>

// construct: critical
// expect: parallel_regions=1
// events: MUTEX_WAIT critical=5*T
// events: MUTEX_ACQUIRED=5*T
// events: MUTEX_RELEASED critical=5*T
// place: implicit @implicit=1..
// place: critical @critical=1..
PROGRAM(critical)
{
#pragma omp parallel // @implicit
	for (int i = 0; i < 5; i++) {
#pragma omp critical // @critical
		work();
	}
	return done();
}

// construct: critical, named
// expect: parallel_regions=1
// events: MUTEX_WAIT critical=2*T
// place: implicit @implicit=1..
// place: critical @critical2=1..
// place: critical @critical3=1..
PROGRAM(critical_named)
{
#pragma omp parallel // @implicit
	{
#pragma omp critical(one) // @critical2
		work();
#pragma omp critical(two) // @critical3
		work();
	}
	return done();
}

// construct: lock
// expect: parallel_regions=1
// events: MUTEX_WAIT lock=5*T
// events: MUTEX_RELEASED lock=5*T
// place: implicit @implicit=1..
// place: lock @lock2=1..
PROGRAM(lock)
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

// construct: lock, tested
// expect: explicit_tasks=T
// events: MUTEX_WAIT lock=2*T
// events: MUTEX_ACQUIRED=2*T
// events: MUTEX_RELEASED lock=2*T
// place: implicit @implicit=1..
// place: lock @lock2=1..
// place: task @task3=1..
PROGRAM(lock_test)
{
#pragma omp parallel // @implicit
	{
		omp_lock_t lock;
		omp_init_lock(&lock);
		/* the test in another task is in vain, and does not wait */
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

// construct: nest lock
// expect: parallel_regions=1
// events: MUTEX_WAIT nest-lock=T
// events: MUTEX_RELEASED nest-lock=T
// place: implicit @implicit=1..
// place: nest-lock @nest_lock2=1..
PROGRAM(nest_lock)
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

// construct: atomic, of a machine word
// expect: parallel_regions=1
// events: MUTEX_WAIT atomic=5*T
// limit libgomp: events,place: atomic
// limit ompt: events,place: atomic
PROGRAM(atomic_small)
{
	static int sum;
#pragma omp parallel
	for (int i = 0; i < 5; i++) {
#pragma omp atomic
		sum += 1;
	}
	return done();
}

// construct: lock, nest lock, critical: waited for
// expect: parallel_regions=1
// waits: lock=5000000..
// waits: nest-lock=5000000..
// waits: critical=5000000..
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

PROGRAM(lock_wait)
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
