/* SPDX-License-Identifier: MIT */
/* The dependences are carried by a pseudo-task that never runs, and of which libomp 14 does not
 * tell; the task itself has none, but is known to belong to it. A taskwait with depend before an
 * undeferred task without is not mistaken for such a pair.
 *
 * // EXPECT: tasks == 4
 * // EXPECT: dependent == 3
 * // EXPECT threads>1: undeferred == 3
 * // EXPECT: begun == 4
 * // EXPECT: ended == 4
 * // EXPECT: create_ends == 4
 * // EXPECT: waitpoints == 3
 * // EXPECT: depend_waits == 3
 * // EXPECT: depends == 4
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
#pragma omp taskwait depend(in : a[0])
#pragma omp task if (0)
		sink(a[0]);
	}
	return 0;
}
