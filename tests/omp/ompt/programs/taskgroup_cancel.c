/* SPDX-License-Identifier: MIT */
/* Discarded tasks are created and never begin. Run with OMP_CANCELLATION=true.
 *
 * // EXPECT: tasks == 50
 * // EXPECT: create_ends == 50
 * // EXPECT: groups == 1
 * // EXPECT: group_waits == 1
 * // EXPECT: begun <= 50
 * // EXPECT: cancels == 1
 * // EXPECT threads=1: discarded == 46
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 50; i++)
#pragma omp task
		{
			work();
			if (i == 3) {
#pragma omp cancel taskgroup
			}
#pragma omp cancellation point taskgroup
			work();
		}
	}
	return 0;
}
