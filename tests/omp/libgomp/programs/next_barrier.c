/* SPDX-License-Identifier: MIT */
// library: LIBGOMP_NEXT
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
#include "../next.h"

#ifndef LIBGOMP_NEXT
int
main(void)
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
#endif
