/* SPDX-License-Identifier: MIT */
/* A task reduction on a parallel region and on worksharing constructs: GOMP_parallel_reductions,
 * GOMP_loop_start, GOMP_sections2_start, GOMP_scope_start. */
// EXPECT: regions 4
// EXPECT: implicit 4*T
// EXPECT: tasks T+30+3+T
// EXPECT: begun T+30+3+T
// EXPECT: loops 1
// EXPECT: chunks 15
// EXPECT: sections_met T
// EXPECT: sections 3
// EXPECT: scopes T
#include <omp.h>

int
main(void)
{
	int a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel reduction(task, + : a)
#pragma omp task in_reduction(+ : a)
	a++;
#pragma omp parallel
#pragma omp for schedule(dynamic, 2) reduction(task, + : b)
	for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : b)
		b++;
	}
#pragma omp parallel
#pragma omp sections reduction(task, + : c)
	{
#pragma omp section
#pragma omp task in_reduction(+ : c)
		c++;
#pragma omp section
#pragma omp task in_reduction(+ : c)
		c++;
#pragma omp section
#pragma omp task in_reduction(+ : c)
		c++;
	}
#pragma omp parallel
#pragma omp scope reduction(task, + : d)
#pragma omp task in_reduction(+ : d)
	d++;
	return !(a == omp_get_max_threads() && b == 30 && c == 3 && d == a);
}
