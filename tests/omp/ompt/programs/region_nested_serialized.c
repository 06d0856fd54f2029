/* SPDX-License-Identifier: MIT */
/* Nested regions while nesting is off: the inner ones have one thread each.
 *
 * // EXPECT: regions >= 1
 * // EXPECT threads>1: regions == 3
 * // EXPECT threads>1: implicit == 4
 * // EXPECT threads>1: barriers_region == 2
 * // EXPECT: null_region_sites == 0
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
	omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		sink(1);
	}
	return 0;
}
