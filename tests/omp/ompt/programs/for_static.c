/* SPDX-License-Identifier: MIT */
/* // EXPECT: loops == 2*T
 * // EXPECT: static_loops == 2*T
 * // EXPECT: inline_loops == 2*T
 * // EXPECT: shares == 2*T
 * // EXPECT: chunks == 2*T
 * // EXPECT: iterations == 33
 * // EXPECT: null_loop_sites == 0
 * // EXPECT threads>1: barriers_implicit == T
 * // EXPECT threads>1: barriers_region == T
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 17; i++)
			sink(i);
#pragma omp for nowait schedule(static)
		for (long i = 16; i > 0; i--)
			sink(i);
	}
	return 0;
}
