/* SPDX-License-Identifier: MIT */
// library: LIBGOMP_NEXT
/* Calls as GCC 17 compiles them with -fopenmp-ompt=basic: no program here reports its chunks. */
#include "../next.h"

#ifndef LIBGOMP_NEXT
#include "../../../programs/several.h"

/* Barriers of GCC 17 have a kind; a library that an older GCC has compiled calls GOMP_barrier in
 * the same region. */
// EXPECT: barriers_explicit 10*T+3*T+T
// EXPECT: barriers_implicit 2*T
// EXPECT: barriers_region 2*T
// EXPECT: tasks T
// EXPECT: begun T
// EXPECT: atomics 2*T
// EXPECT: mutexes 1
// EXPECT: loops 0
// EXPECT: inline_loops 0
// EXPECT: notes 0
PROGRAM(next_barrier)
{
	int n = 0, sum = 0;
#pragma omp parallel
	{
		GOMP_barrier_ext(BARRIER_START); /* copyin(array) */
		for (int i = 0; i < 10; i++)
			GOMP_barrier_ext(BARRIER_EXPLICIT);
		for (int i = 0; i < 3; i++) {
#pragma omp barrier
		}
#pragma omp task shared(n)
#pragma omp atomic
		n++;
		GOMP_loop_static_worksharing(8); /* one call is left of many */
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_reduction_start();
		sum++;
		GOMP_reduction_end();
		__extension__ extern void GOMP_atomic_start(void), GOMP_atomic_end(void);
		GOMP_atomic_start(); /* the same mutex */
		sum++;
		GOMP_atomic_end();
	}
	int cancelled = 0;
#pragma omp parallel
	if (GOMP_barrier_cancel_ext(BARRIER_EXPLICIT))
#pragma omp atomic
		cancelled++;
	return !(n == omp_get_max_threads() && sum == 2 * n && cancelled == 0);
}

static void
orphaned(void)
{
	GOMP_loop_static_worksharing_start(8);
	GOMP_barrier_ext(BARRIER_WORK);
	GOMP_loop_static_worksharing_end();
	if (GOMP_has_masked_thread_num_with_end(0))
		GOMP_masked_end();
	GOMP_single_start_with_end();
	GOMP_single_end();
	GOMP_scope_start_with_end(NULL);
	GOMP_scope_end();
}

/* Without chunks (-fopenmp-ompt=basic), _start and _end say nothing that can be relied on: a static
 * loop is its barrier. Outside a region the calls are the same. */
// EXPECT: inline_loops_met 0
// EXPECT: chunks 0
// EXPECT: barriers_implicit 10*T+1
// EXPECT: barriers_region T
// EXPECT: scopes 1
// EXPECT: masked 1
// EXPECT: single_executors 1
// EXPECT: notes 0
PROGRAM(next_basic)
{
#pragma omp parallel
	{
		GOMP_loop_static_worksharing_start(8);
		for (int round = 0; round < 10; round++) {
			GOMP_barrier_ext(BARRIER_WORK);
			GOMP_loop_static_worksharing_end();
		}
	}
	orphaned();
	return 0;
}
#endif
