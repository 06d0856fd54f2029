/* SPDX-License-Identifier: MIT */
/* // EXPECT: tasks == 20
 * // EXPECT: ended == 20
 * // EXPECT: suspends == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		work();
#pragma omp taskyield
	}
	return 0;
}
