/* SPDX-License-Identifier: MIT */
// library: LIBGOMP_NEXT
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
#include "../next.h"

#ifndef LIBGOMP_NEXT
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

int
main(void)
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
