/* SPDX-License-Identifier: MIT */
/* Every task is created; those that have not begun are discarded, and have no range.
 *
 * // EXPECT: tasks == 8
 * // EXPECT: taskloop_tasks == 8
 * // EXPECT: cancels == 1
 * // EXPECT: group_waits == 1
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(8)
	for (int i = 0; i < 8; i++) {
		work();
		if (i == 2) {
#pragma omp cancel taskgroup
		}
	}
	return 0;
}
