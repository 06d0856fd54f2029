/* SPDX-License-Identifier: MIT */
/* With one thread the runtime hands out everything at once.
 *
 * // EXPECT: loops == 4*T
 * // EXPECT threads>1: dynamic_loops == 4*T
 * // EXPECT threads>1: chunks == 100
 * // EXPECT threads=1: chunks == 4
 * // EXPECT: iterations == 137
 * // EXPECT: null_loop_sites == 0
 * // EXPECT: notes_dispatch == 0
 * // EXPECT: unknown_loops == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 85; i++)
			sink(i);
#pragma omp for schedule(dynamic, 3) nowait
		for (long i = 10; i > -10; i--)
			sink(i);
#pragma omp for schedule(monotonic : dynamic, 4)
		for (unsigned i = 0; i < 32; i += 2)
			sink(i);
#pragma omp for schedule(dynamic, 4)
		for (unsigned long i = 16; i > 0; i--)
			sink((long)i);
	}
	return 0;
}
