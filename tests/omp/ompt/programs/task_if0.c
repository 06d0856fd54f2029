/* SPDX-License-Identifier: MIT */
/* // EXPECT: tasks == 10
 * // EXPECT: undeferred == 10
 * // EXPECT: begun == 10
 * // EXPECT: ended == 10
 * // EXPECT: create_ends == 10
 * // EXPECT: waitpoints == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++)
#pragma omp task if (0)
		sink(i);
	return 0;
}
