/* SPDX-License-Identifier: MIT */
// library: LIBGOMP_NEXT
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
#include "../next.h"

#ifndef LIBGOMP_NEXT
static void
loop_nowait(void)
{
	GOMP_loop_static_worksharing_start(2 * (ull)omp_get_num_threads());
	GOMP_loop_static_worksharing_dispatch(2 * (ull)omp_get_thread_num(), 2);
	GOMP_loop_static_worksharing_end();
}

int
main(void)
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
