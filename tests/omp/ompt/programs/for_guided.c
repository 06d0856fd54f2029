/* SPDX-License-Identifier: MIT */
/* // EXPECT: loops == 2*T
 * // EXPECT threads=2: guided_loops == 4
 * // EXPECT: iterations == 1500
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(guided, 2)
		for (int i = 0; i < 500; i++)
			sink(i);
#pragma omp for schedule(auto)
		for (int i = 0; i < 1000; i++)
			sink(i);
	}
	return 0;
}
