/* SPDX-License-Identifier: MIT */
/* Cancellation of a taskgroup, a loop, sections and a region (OMP_CANCELLATION=true). */
// EXPECT: regions 4*10
// EXPECT: cancels 4*10
// EXPECT: notes 0
#include <omp.h>

int
main(void)
{
	int n = 0;
	if (!omp_get_cancellation())
		return 0;
	for (int round = 0; round < 10; round++) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
		for (int i = 0; i < 100; i++) {
#pragma omp task shared(n)
			{
#pragma omp atomic
				n++;
				if (i == 5) {
#pragma omp cancel taskgroup
				}
			}
		}
#pragma omp parallel
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 100; i++) {
			if (i == 50) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp parallel
#pragma omp sections
		{
#pragma omp section
		    {
#pragma omp cancel sections
		    }
#pragma omp section
		    {
#pragma omp cancellation point sections
		    }}
#pragma omp parallel
		{
			for (int i = 0; i < 100; i++) {
				if (i == 50 && omp_get_thread_num() == 0) {
#pragma omp cancel parallel
				}
#pragma omp cancellation point parallel
			}
#pragma omp barrier
		}
	}
	return 0;
}
