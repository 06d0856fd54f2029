/* SPDX-License-Identifier: MIT */
/* // EXPECT: single_executor == 2
 * // EXPECT threads=1: single_other == 0
 * // EXPECT threads=2: single_other == 2
 * // EXPECT threads=4: single_other == 6
 * // EXPECT threads>1: barriers_implicit == T
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp single
		sink(1);
#pragma omp single nowait
		sink(2);
	}
	return 0;
}
