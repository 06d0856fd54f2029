/* SPDX-License-Identifier: MIT */
/* // EXPECT threads>1: barriers_explicit == 3*T
 * // EXPECT threads>1: barriers_region == T
 * // EXPECT: barriers_implicit == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
		for (int i = 0; i < 3; i++) {
			sink(i);
#pragma omp barrier
		}
		sink(4);
	}
	return 0;
}
