/* SPDX-License-Identifier: MIT */
/* libomp reports a taskwait also where there is nothing to wait for.
 *
 * // EXPECT: taskwaits == 3
 * // EXPECT: tasks == 1
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskwait
#pragma omp task
		work();
#pragma omp taskwait
#pragma omp taskwait
	}
	return 0;
}
