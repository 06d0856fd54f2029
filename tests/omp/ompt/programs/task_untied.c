/* SPDX-License-Identifier: MIT */
/* Untied tasks run in parts and send switches that mean nothing.
 *
 * // EXPECT: tasks == 20
 * // EXPECT: untied == 10
 * // EXPECT: begun == 20
 * // EXPECT: ended == 20
 * // EXPECT: create_ends == 20
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++)
#pragma omp task untied
	{
		work();
#pragma omp task
		work();
#pragma omp taskyield
		work();
#pragma omp taskwait
		work();
	}
	return 0;
}
