/* SPDX-License-Identifier: MIT */
/* Nested teams: inner workers come and go with the outer threads. A chunk is open meanwhile. */
// EXPECT: regions 1+24
// EXPECT: implicit T+24*3
// EXPECT: loops 1+24
// EXPECT: chunks 24+24*10
// EXPECT: iterations 24+24*10
// EXPECT: tasks 24*3
// EXPECT: begun 24*3
#include <omp.h>

int
main(void)
{
	int n = 0, m = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic) reduction(+ : n)
	for (int i = 0; i < 24; i++) {
#pragma omp parallel num_threads(3) reduction(+ : n)
		{
#pragma omp for schedule(dynamic)
			for (int j = 0; j < 10; j++)
				n++;
#pragma omp task shared(m)
#pragma omp atomic
			m++;
		}
	}
	return !(n == 240 && m == 72);
}
