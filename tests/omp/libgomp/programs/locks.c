/* SPDX-License-Identifier: MIT */
/* Mutual exclusion of every kind; what masked and small atomics do, no call tells. */
// EXPECT: tasks 0
// EXPECT: regions 1
// EXPECT: criticals 2*T
// EXPECT: locks 2*T
// EXPECT: atomics T
// EXPECT: mutexes 5
// EXPECT: barriers_explicit 0
// EXPECT: notes 0
#include <omp.h>

int
main(void)
{
	int n = 0, m = 0, k = 0, small = 0;
	long double slow = 0;
	omp_lock_t lock, tested;
	omp_init_lock(&lock);
	omp_init_lock(&tested);
#pragma omp parallel
	{
#pragma omp critical
		n++;
#pragma omp critical(named)
		m++;
		omp_set_lock(&lock);
		k++;
		omp_unset_lock(&lock);
		while (!omp_test_lock(&tested))
			;
		k++;
		omp_unset_lock(&tested);
#pragma omp atomic
		slow += 1;
#pragma omp atomic
		small++;
#pragma omp master
		n += 100;
#pragma omp masked filter(0)
		n += 100;
	}
	omp_destroy_lock(&lock);
	omp_destroy_lock(&tested);
	return !(k == 2 * m && n == m + 200 && slow == m && small == m);
}
