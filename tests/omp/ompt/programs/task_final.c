/* SPDX-License-Identifier: MIT */
/* // EXPECT: tasks == 6
 * // EXPECT: final == 6
 * // EXPECT: undeferred >= 3
 * // EXPECT: ended == 6
 * // EXPECT: create_ends == 6
 * // EXPECT: taskwaits == 3
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3; i++)
#pragma omp task final(1)
	{
#pragma omp task
		work();
#pragma omp taskwait
	}
	return 0;
}
