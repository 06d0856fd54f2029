/* SPDX-License-Identifier: MIT */
/* The call of a barrier, a nested region or a lock at the very end of a region's code returns into
 * the runtime. The outlined function says where it is; a worker's last barrier is its region's.
 *
 * // FLAGS: -O2
 * // EXPECT: null_region_sites == 0
 * // EXPECT: null_barrier_sites == 0
 * // EXPECT: barriers_explicit == T
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
		work();
#pragma omp barrier
	}
#pragma omp parallel
	{
#pragma omp parallel num_threads(2)
		work();
	}
	return 0;
}
