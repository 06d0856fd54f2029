/* SPDX-License-Identifier: MIT */
/* Every schedule that reaches libgomp, as a loop of its own and combined with parallel. */
// EXPECT: regions 1+6
// EXPECT: loops 10+6
// EXPECT: iterations 16*100
#include <omp.h>

static int n;

static void
work(void)
{
#pragma omp atomic
	n++;
}

#define LOOP                                                                                       \
	for (int i = 0; i < 100; i++)                                                              \
		work();

int
main(void)
{
	omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		LOOP
#pragma omp for schedule(dynamic, 7) nowait
		    LOOP
#pragma omp for schedule(guided, 4)
			LOOP
#pragma omp for schedule(monotonic : dynamic, 3)
			    LOOP
#pragma omp for schedule(monotonic : guided)
				LOOP
#pragma omp for schedule(runtime)
				    LOOP
#pragma omp for schedule(monotonic : runtime)
					LOOP
#pragma omp for schedule(nonmonotonic : runtime)
					    LOOP
#pragma omp for schedule(dynamic, 1000)
						LOOP
#pragma omp for schedule(nonmonotonic : guided, 2)
						    LOOP
	}
#pragma omp parallel for schedule(dynamic)
	LOOP
#pragma omp parallel for schedule(guided, 5)
		LOOP
#pragma omp parallel for schedule(monotonic : dynamic, 9)
		    LOOP
#pragma omp parallel for schedule(runtime)
			LOOP
#pragma omp parallel for schedule(monotonic : runtime)
			    LOOP
#pragma omp parallel for schedule(nonmonotonic : runtime)
				LOOP return n != 1600;
}
