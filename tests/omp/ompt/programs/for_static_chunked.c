/* SPDX-License-Identifier: MIT */
/* Of one thread the runtime makes one chunk.
 *
 * // EXPECT: loops == 3*T
 * // EXPECT threads>1: chunks == 65
 * // EXPECT threads=1: chunks == 3
 * // EXPECT: iterations == 210
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(static, 2)
		for (int i = 0; i < 101; i++)
			sink(i);
#pragma omp for schedule(static, 9)
		for (unsigned i = 200; i > 0; i -= 2)
			sink(i);
#pragma omp for schedule(static, 5)
		for (long i = 0; i < 9; i++)
			sink(i);
	}
	return 0;
}
