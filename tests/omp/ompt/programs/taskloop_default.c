/* SPDX-License-Identifier: MIT */
/* Without a clause libomp makes ten tasks per thread.
 *
 * // EXPECT: taskloops == 1
 * // EXPECT: taskloop_planned == 10*T
 * // EXPECT: ranged == 10*T
 * // EXPECT: ranged_iterations == 1000
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
	for (int i = 0; i < 1000; i++)
		sink(i);
	return 0;
}
