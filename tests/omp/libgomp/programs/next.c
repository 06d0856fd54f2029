/* SPDX-License-Identifier: MIT */
// library: LIBGOMP_NEXT
/* Calls as GCC 17 compiles them with -fopenmp-ompt=extended. */
#include "../next.h"

#ifndef LIBGOMP_NEXT
#include "../../../programs/several.h"

bool GOMP_cancel(int which, bool do_cancel);
bool GOMP_cancellation_point(int which);

/* Cancelling a region skips the ends of what is open in it; the next region begins with nothing
 * open. */
// EXPECT: cancels 1
// EXPECT: barriers_region 2*T
// EXPECT: inline_loops_met 2*T
// EXPECT: chunks 2*T
// EXPECT: scopes T
// EXPECT: notes 0
PROGRAM(next_cancel)
{
	ull T = (ull)omp_get_max_threads();
#pragma omp parallel
	{
		ull t = (ull)omp_get_thread_num();
		GOMP_scope_start_with_end(NULL);
		GOMP_loop_static_worksharing_start(T);
		GOMP_loop_static_worksharing_dispatch(t, 1);
		if (t == 0)
			GOMP_cancel(1, true);
		/* the others see it at a barrier, and leave for the end of the region */
		else if (!GOMP_barrier_cancel_ext(BARRIER_WORK))
			__builtin_abort();
	}
#pragma omp parallel
	{
		GOMP_loop_static_worksharing_start(T);
		GOMP_loop_static_worksharing_dispatch((ull)omp_get_thread_num(), 1);
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_loop_static_worksharing_end();
	}
	return 0;
}

bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk, long *first,
                     long *last, uintptr_t *reductions, void **mem);
void GOMP_loop_end(void);

static void
loop(ull n)
{
	ull t = (ull)omp_get_thread_num();
	GOMP_loop_static_worksharing_dispatch(t * n, n);
}

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
PROGRAM(next_static)
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

static void
loop_nowait(void)
{
	GOMP_loop_static_worksharing_start(2 * (ull)omp_get_num_threads());
	GOMP_loop_static_worksharing_dispatch(2 * (ull)omp_get_thread_num(), 2);
	GOMP_loop_static_worksharing_end();
}

/* single, masked, scope and distribute as GCC 17 compiles them with -fopenmp-ompt. The test that
 * begins masked is merged from -O1 on, and may be moved before other constructs. */
// EXPECT: single_executors 2+1
// EXPECT: single_others 3*(T-1)
// EXPECT: masked 1+2+2
// EXPECT: scopes 3*T
// EXPECT: inline_loops 3+1
// EXPECT: inline_loops_met 3*T+2
// EXPECT: chunks 3*T+2
// EXPECT: barriers_implicit 3*T
// EXPECT: barriers_explicit 4*T
// EXPECT: barriers_region T
// EXPECT: leagues 1
// EXPECT: tasks 1
// EXPECT: notes 0
PROGRAM(next_work)
{
	int n = 0;
#pragma omp parallel
	{
		if (GOMP_single_start_with_end())
			n++;
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_single_end();
		if (GOMP_single_start_with_end()) /* nowait */
			n++;
		GOMP_single_end();
		loop_nowait();
		GOMP_barrier_ext(BARRIER_EXPLICIT);
		if (GOMP_has_masked_thread_num_with_end(0)) {
#pragma omp task
			n++;
			GOMP_masked_end();
		}
		GOMP_barrier_ext(BARRIER_EXPLICIT);
		bool is_first = GOMP_has_masked_thread_num_with_end(0); /* of two */
		if (is_first)
			GOMP_masked_end();
		if (is_first)
			GOMP_masked_end();
		is_first = GOMP_has_masked_thread_num_with_end(0); /* moved before the single */
#pragma omp single
		n++;
		if (is_first)
			GOMP_masked_end();
		if (is_first)
			GOMP_masked_end();
		GOMP_scope_start_with_end(NULL);
		GOMP_scope_end();
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_scope_start_with_end(NULL); /* contains loops and a barrier */
		loop_nowait();
		GOMP_barrier_ext(BARRIER_EXPLICIT);
		loop_nowait();
		GOMP_scope_end();
		GOMP_barrier_ext(BARRIER_WORK);
		GOMP_scope_start_with_end(NULL); /* ends with the region */
	}
#pragma omp teams num_teams(2)
	{
		GOMP_distribute_static_worksharing_start(8);
		GOMP_distribute_static_worksharing_dispatch(4 * (ull)omp_get_team_num(), 4);
		GOMP_distribute_static_worksharing_end();
	}
	return n != 4;
}
#endif
