/* SPDX-License-Identifier: MIT */
/* Two regions one after the other: a worker's end of the first arrives with the second, late.
 *
 * // EXPECT: regions == 2
 * // EXPECT: implicit == 2*T
 * // EXPECT threads>1: barriers_region == 2*T
 * // EXPECT threads=1: barriers_region == 0
 * // EXPECT: barriers_implicit == 0
 * // EXPECT: null_region_sites == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	sink(1);
#pragma omp parallel
	sink(2);
	return 0;
}
