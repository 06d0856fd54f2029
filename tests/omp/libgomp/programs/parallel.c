/* SPDX-License-Identifier: MIT */
/* Parallel regions, one after the other, each second one with a team of one. */
// EXPECT: regions 200
// EXPECT: implicit 100*T+100
// EXPECT: barriers_region 100*T+100
// EXPECT: threads T
#include <omp.h>

int
main(void)
{
	int n = 0, all = 0;
	for (int i = 0; i < 100; i++) {
#pragma omp parallel reduction(+ : n)
		n++;
#pragma omp parallel if (0) reduction(+ : all)
		all += omp_get_num_threads();
	}
	return !(n == 100 * omp_get_max_threads() && all == 100);
}
