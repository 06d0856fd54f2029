/* SPDX-License-Identifier: MIT */
/* // EXPECT: taskloops == 3
 * // EXPECT: taskloop_iterations == 50
 * // EXPECT: taskloop_tasks == 16
 * // EXPECT: taskloop_planned == 16
 * // EXPECT: ranged == 16
 * // EXPECT: ranged_iterations == 50
 * // EXPECT: begun == 16
 * // EXPECT: ended == 16
 * // EXPECT: create_ends == 16
 * // EXPECT: groups == 2
 * // EXPECT: group_waits == 2
 * // EXPECT: foreign == 0
 * // EXPECT: null_task_sites == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(7)
		for (int i = 0; i < 30; i++)
			sink(i);
#pragma omp taskloop grainsize(3) nogroup
		for (int i = 20; i > 0; i -= 2)
			sink(i);
#pragma omp taskloop num_tasks(6)
		for (unsigned long i = 0; i < 10; i++)
			work();
	}
	return 0;
}
