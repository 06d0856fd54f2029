/* SPDX-License-Identifier: MIT */
/* GOMP_loop_start: conditional lastprivate and task reductions, with and without inlined chunks.
 * gcc compiles the second loop to arithmetic altogether. */
// EXPECT: regions 1
// EXPECT: loops 3
// EXPECT: loops_met 3*T
// EXPECT: inline_loops_met T
// EXPECT: tasks 20+20
// EXPECT: begun 20+20
// EXPECT: iterations 30+20+20

#include <omp.h>

int
main(void)
{
	int a = -1, b = -1, sum = 0, other = 0, ordered = 0;
	omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 3) lastprivate(conditional : a)
		for (int i = 0; i < 30; i++)
			if (i % 7 == 3)
				a = i;
#pragma omp for schedule(static) lastprivate(conditional : b)
		for (int i = 0; i < 30; i++)
			if (i % 7 == 2)
				b = i;
#pragma omp for schedule(static, 2) reduction(task, + : sum)
		for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
			sum++;
		}
#pragma omp for schedule(runtime) reduction(task, + : other)
		for (unsigned long i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : other)
			other++;
		}
#pragma omp for ordered schedule(dynamic) reduction(task, + : ordered)
		for (int i = 20; i > 0; i--)
#pragma omp ordered
			ordered++;
	}
	return !(a == 24 && b == 23 && sum == 20 && other == 20 && ordered == 20);
}
