/* SPDX-License-Identifier: MIT */
/* // EXPECT: tasks == 8
 * // EXPECT: ended == 8
 * // EXPECT: groups == 2
 * // EXPECT: group_waits == 2
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp taskgroup
		{
			for (int j = 0; j < 2; j++)
#pragma omp task
			{
#pragma omp task
				work();
			}
		}
	}
	return 0;
}
