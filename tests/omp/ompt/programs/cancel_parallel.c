/* SPDX-License-Identifier: MIT */
/* One thread gives up, the others see it at a cancellation point or at a barrier.
 *
 * // EXPECT: regions == 2
 * // EXPECT: implicit == 2*T
 * // EXPECT: cancels == 2
 * // EXPECT threads>1: cancels_seen > 1
 * // EXPECT: barriers_explicit <= 2*T
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
	for (int round = 0; round < 2; round++)
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
		if (round == 0)
			while (omp_get_num_threads() > 1) {
#pragma omp cancellation point parallel
			}
#pragma omp barrier
		work();
	}
	return 0;
}
