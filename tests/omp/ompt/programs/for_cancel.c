/* SPDX-License-Identifier: MIT */
/* No end of the loop is reported. Run with OMP_CANCELLATION=true.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT: cancels > 1
 * // EXPECT: barriers_implicit == 2*T
 * // UNCOVERED
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++) {
			if (i == 5) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
			work();
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 100; i++)
			sink(i);
	}
	return 0;
}
