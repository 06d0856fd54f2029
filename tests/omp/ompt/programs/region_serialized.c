/* SPDX-License-Identifier: MIT */
/* Regions of one thread: no barrier is reported, everything in them is undeferred.
 *
 * // EXPECT: regions == 2
 * // EXPECT: implicit == 2
 * // EXPECT: barriers_region == 0
 * // EXPECT: tasks == 4
 * // EXPECT: undeferred == 4
 * // EXPECT: ended == 4
 * // EXPECT: create_ends == 4
 * // EXPECT: taskwaits == 2
 */
#include "sink.h"

int
main(void)
{
	for (int i = 0; i < 2; i++) {
#pragma omp parallel if (i == 1) num_threads(1)
		{
#pragma omp task
			sink(1);
#pragma omp task
			sink(2);
#pragma omp taskwait
			sink(3);
		}
	}
	return 0;
}
