/* SPDX-License-Identifier: MIT */
/* Nested regions, in tail position of the outer one's code: two teams at a time, then none.
 *
 * // EXPECT: regions == 3
 * // EXPECT: implicit == 6
 * // EXPECT: barriers_region == 6
 * // EXPECT: null_region_sites == 0
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		sink(1);
	}
	return 0;
}
