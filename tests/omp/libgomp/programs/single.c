/* SPDX-License-Identifier: MIT */
/* single with barrier, with nowait, with copyprivate; tasks inside; outside every region too. */
// EXPECT: single_executors 1+10+10+10
// EXPECT: single_others 30*(T-1)
// EXPECT: tasks 10
// EXPECT: begun 10
// EXPECT: regions 1
#include <omp.h>

int
main(void)
{
	int n = 0, n_bad = 0;
#pragma omp single
	n++;
#pragma omp parallel reduction(+ : n_bad)
	for (int i = 0; i < 10; i++) {
		int value;
#pragma omp single
		{
#pragma omp atomic
			n++;
#pragma omp task shared(n)
#pragma omp atomic
			n++;
		}
#pragma omp single nowait
#pragma omp atomic
		n++;
#pragma omp single copyprivate(value)
		value = i + 7;
		n_bad += value != i + 7;
	}
	return !(n == 1 + 30 && n_bad == 0);
}
