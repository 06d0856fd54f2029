/* SPDX-License-Identifier: MIT */
// library: LIBGOMP_NEXT
/* Static loops as GCC 17 compiles them with -fopenmp-ompt=extended. From -O1 on, one call of _start
 * is left of all loops with the same number of iterations, and it is moved; _end is called after
 * the barrier, by threads without iterations too. */
// EXPECT: inline_loops 1+10+1+2+1+1+1+2
// EXPECT: inline_loops_met (1+10+1+2+1+1+1+2)*T
// EXPECT: chunks T+10*T+3*T+2*T+1+T+T+2*T
// EXPECT: iterations 8*T+10*4*T+6*T+2*2*T+1+5*T+7*T+2*9*T
// EXPECT: barriers_implicit (1+10+1+1+1+1)*T
// EXPECT: barriers_explicit 3*T
// EXPECT: barriers_region 3*T
// EXPECT: tasks T
// EXPECT: loops 0
// EXPECT: notes 0
#include "../next.h"

#ifndef LIBGOMP_NEXT
bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk, long *first,
                     long *last, uintptr_t *reductions, void **mem);
void GOMP_loop_end(void);

static void
loop(ull n)
{
	ull t = (ull)omp_get_thread_num();
	GOMP_loop_static_worksharing_dispatch(t * n, n);
}

int
main(void)
{
	int T = omp_get_max_threads(), n_tasks = 0;
#pragma omp parallel
	{
		GOMP_loop_static_worksharing_start(8 * (ull)T);
		loop(8);
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_loop_static_worksharing_end();
	}
#pragma omp parallel
	{
		ull t = (ull)omp_get_thread_num();
		/* both calls are moved out of the code that follows, with barriers in it */
		GOMP_loop_static_worksharing_start(6 * (ull)T);
		GOMP_loop_static_worksharing_start(4 * (ull)T);
		GOMP_barrier_ext(BARRIER_EXPLICIT);
		for (int round = 0; round < 10; round++) {
			loop(4);
			GOMP_barrier_ext(BARRIER_WORK);
			GOMP_loop_static_worksharing_end();
		}
		GOMP_barrier_ext(BARRIER_EXPLICIT);
		for (ull i = 0; i < 3; i++) /* static, 2 */
			GOMP_loop_static_worksharing_dispatch((i * (ull)T + t) * 2, 2);
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_loop_static_worksharing_end();
		for (int round = 0; round < 2; round++) { /* nowait */
			GOMP_loop_static_worksharing_start(2 * (ull)T);
			loop(2);
			GOMP_loop_static_worksharing_end();
		}
#pragma omp task
#pragma omp atomic
		n_tasks++;
		/* one iteration: the other threads have no chunk */
		GOMP_loop_static_worksharing_start(1);
		if (t == 0)
			GOMP_loop_static_worksharing_dispatch(0, 1);
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_loop_static_worksharing_end();
		/* reduction(task): the loop ends by another call */
		GOMP_loop_start(0, 5 * T, 1, 1, 0, NULL, NULL, NULL, NULL);
		GOMP_loop_static_worksharing_start(5 * (ull)T);
		loop(5);
		GOMP_loop_end();
		/* firstprivate and lastprivate of one variable: a barrier before the loop */
		GOMP_loop_static_worksharing_start(7 * (ull)T);
		GOMP_barrier_ext(BARRIER_WORK);
		loop(7);
		GOMP_loop_static_worksharing_end();
		GOMP_barrier_ext(BARRIER_EXPLICIT);
	}
	/* parallel for: the region ends the last loop */
#pragma omp parallel
	{
		GOMP_loop_static_worksharing_start(9 * (ull)T);
		loop(9);
		GOMP_loop_static_worksharing_end();
		loop(9);
	}
	return n_tasks != T;
}
#endif
