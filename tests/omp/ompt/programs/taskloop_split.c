/* SPDX-License-Identifier: MIT */
/* Large taskloops are split by helper tasks, which create for the task that met the loop.
 *
 * // EXPECT: taskloops == 2
 * // EXPECT: ranged == 264
 * // EXPECT: ranged_iterations == 1128
 * // EXPECT: taskloop_tasks >= 264
 * // EXPECT threads=2: taskloop_tasks == 282
 * // EXPECT threads=2: created_by >= 64
 * // EXPECT: groups == 1
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(64)
		for (int i = 0; i < 128; i++)
			work();
#pragma omp taskloop num_tasks(200) nogroup
		for (int i = 0; i < 1000; i++)
			work();
	}
	return 0;
}
