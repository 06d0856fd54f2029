/* SPDX-License-Identifier: MIT */
/* A region with a single and barriers of its own inside a single.
 *
 * // EXPECT: regions == 2
 * // EXPECT: single_executor == 2
 * // EXPECT: tasks == 5
 * // EXPECT: ended == 5
 * // EXPECT threads>1: barriers_implicit >= T
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp single
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp single
			sink(1);
#pragma omp barrier
			sink(2);
		}
		for (int i = 0; i < 5; i++)
#pragma omp task
			work();
	}
	return 0;
}
