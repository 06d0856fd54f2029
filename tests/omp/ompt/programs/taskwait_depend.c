/* SPDX-License-Identifier: MIT */
/* // EXPECT: tasks == 2
 * // EXPECT: ended == 2
 * // EXPECT: create_ends == 2
 * // EXPECT: waitpoints == 1
 * // EXPECT: depend_waits == 1
 * // EXPECT: depends == 2
 */
#include "sink.h"

int
main(void)
{
	int a[1] = {0};
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : a[0])
		work();
#pragma omp task
		work();
#pragma omp taskwait depend(in : a[0])
		sink(1);
	}
	return 0;
}
