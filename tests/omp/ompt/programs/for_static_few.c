/* SPDX-License-Identifier: MIT */
/* Fewer iterations than threads, and a loop without any: no call is made for that.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT: shares == 2
 * // EXPECT: chunks == 2
 * // EXPECT: iterations == 2
 */
#include "sink.h"

int
main(void)
{
	volatile int n = 0;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 1; i++)
			sink(i);
#pragma omp for schedule(static, 4)
		for (int i = 0; i < 1; i++)
			sink(i);
#pragma omp for
		for (int i = 0; i < n; i++)
			sink(i);
	}
	return 0;
}
