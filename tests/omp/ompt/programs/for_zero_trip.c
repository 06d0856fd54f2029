/* SPDX-License-Identifier: MIT */
/* The runtime is not called for a loop without iterations, but for the barrier at its end.
 *
 * // EXPECT: loops == 0
 * // EXPECT: barriers_implicit == 2*T
 */
#include "sink.h"

int
main(void)
{
	volatile int none = 0;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < none; i++)
			sink(i);
#pragma omp for schedule(dynamic)
		for (int i = none; i > 0; i--)
			sink(i);
	}
	return 0;
}
