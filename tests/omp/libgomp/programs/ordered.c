/* SPDX-License-Identifier: MIT */
/* Ordered loops of each schedule, and of two teams at once: each team's order is its own.
 * Of one schedule in a region, as tests/omp/traps/gcc_chunk_bounds_in_user_values.c says. */
// EXPECT: ordereds 5*20+2*10
// EXPECT: mutexes 5+2
#include <omp.h>

static int next[2];

static void
loop(int team)
{
	next[team] = 0;
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(2)
	for (int i = 0; i < 10; i++) {
#pragma omp ordered
		next[team] += next[team] == i;
	}
}

int
main(void)
{
	int n = 0, n_bad = 0;
#define LOOP(clause)                                                                               \
	n = 0;                                                                                     \
	_Pragma("omp parallel") _Pragma(clause) for (int i = 0; i < 20; i++)                       \
	{                                                                                          \
		_Pragma("omp ordered") n += n == i;                                                \
	}                                                                                          \
	n_bad += n != 20;
	LOOP("omp for ordered schedule(static)")
	LOOP("omp for ordered schedule(static, 3)")
	LOOP("omp for ordered schedule(dynamic, 2)")
	LOOP("omp for ordered schedule(guided)")
	LOOP("omp for ordered schedule(runtime)")
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	loop(omp_get_thread_num());
	return n_bad || next[0] != 10 || next[1] != 10;
}
