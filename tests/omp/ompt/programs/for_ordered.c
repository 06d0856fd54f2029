/* SPDX-License-Identifier: MIT */
/* // EXPECT: loops == 2*T
 * // EXPECT: ordered_loops == 2*T
 * // EXPECT: iterations == 40
 * // EXPECT: ordereds == 40
 * // EXPECT: mutexes_held == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp for ordered
		for (int i = 0; i < 20; i++) {
#pragma omp ordered
			sink(i);
		}
#pragma omp for ordered schedule(dynamic, 2)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered
			sink(i);
		}
	}
	return 0;
}
