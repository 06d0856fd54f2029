/* SPDX-License-Identifier: MIT */
/* A taskloop and tasks inside the tasks of a taskloop.
 *
 * // EXPECT: taskloops == 5
 * // EXPECT: ranged == 12
 * // EXPECT: ranged_iterations == 24
 * // EXPECT: taskloop_tasks == 12
 * // EXPECT: tasks == 16
 * // EXPECT: ended == 16
 * // EXPECT: create_ends == 16
 * // EXPECT: groups == 5
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(4)
	for (int i = 0; i < 4; i++) {
#pragma omp taskloop num_tasks(2)
		for (int j = 0; j < 5; j++)
			sink(j);
#pragma omp task
		sink(i);
	}
	return 0;
}
