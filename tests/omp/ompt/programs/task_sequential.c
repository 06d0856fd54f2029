/* SPDX-License-Identifier: MIT */
/* Tasks outside all regions.
 *
 * // EXPECT: regions == 0
 * // EXPECT: tasks == 6
 * // EXPECT: undeferred == 6
 * // EXPECT: ended == 6
 * // EXPECT: create_ends == 6
 * // EXPECT: taskwaits == 3
 */
#include "sink.h"

int
main(void)
{
	for (int i = 0; i < 3; i++) {
#pragma omp task
		{
#pragma omp task
			sink(i);
		}
#pragma omp taskwait
	}
	return 0;
}
