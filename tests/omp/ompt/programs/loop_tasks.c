/* SPDX-License-Identifier: MIT */
/* Tasks created and awaited inside chunks, and a group around a loop's tasks.
 *
 * // EXPECT: tasks == 40
 * // EXPECT: ended == 40
 * // EXPECT: create_ends == 40
 * // EXPECT: taskwaits == 20
 * // EXPECT: iterations == 40
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 20; i++) {
#pragma omp task
			work();
#pragma omp taskwait
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 20; i++) {
#pragma omp task
			work();
		}
	}
	return 0;
}
