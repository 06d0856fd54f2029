/* SPDX-License-Identifier: MIT */
/* if(0): every task runs where it is created, and only the task itself tells its range.
 *
 * // EXPECT: taskloop_tasks == 5
 * // EXPECT: undeferred == 5
 * // EXPECT: ranged == 5
 * // EXPECT: ranged_iterations == 17
 * // EXPECT: create_ends == 5
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop if (0) num_tasks(5)
	for (int i = 0; i < 17; i++)
		sink(i);
	return 0;
}
