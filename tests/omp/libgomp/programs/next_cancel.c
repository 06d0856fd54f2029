/* SPDX-License-Identifier: MIT */
// library: LIBGOMP_NEXT
/* Cancelling a region skips the ends of what is open in it; the next region begins with nothing
 * open. */
// EXPECT: cancels 1
// EXPECT: barriers_region 2*T
// EXPECT: inline_loops_met 2*T
// EXPECT: chunks 2*T
// EXPECT: scopes T
// EXPECT: notes 0
#include "../next.h"

#ifndef LIBGOMP_NEXT
bool GOMP_cancel(int which, bool do_cancel);
bool GOMP_cancellation_point(int which);

int
main(void)
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
#endif
