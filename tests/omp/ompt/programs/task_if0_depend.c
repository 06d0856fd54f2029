/* SPDX-License-Identifier: MIT */
/* The dependences are carried by a pseudo-task that never runs; the task itself has none.
 *
 * // EXPECT: tasks == 3
 * // EXPECT threads>1: dependent == 1
 * // EXPECT threads>1: undeferred == 2
 * // EXPECT: begun == 3
 * // EXPECT: ended == 3
 * // EXPECT: create_ends == 3
 * // EXPECT runtime=19: waitpoints == 2
 */
#include "sink.h"

int
main(void)
{
	int a[1] = {0};
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(inout : a[0])
		work();
		for (int i = 0; i < 2; i++) {
#pragma omp task if (0) depend(inout : a[0])
			sink(a[0]);
		}
	}
	return 0;
}
