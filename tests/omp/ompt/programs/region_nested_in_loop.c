/* SPDX-License-Identifier: MIT */
/* A region with a loop inside every chunk of a loop: the outer loop's state must come back.
 *
 * // EXPECT: regions == 9
 * // EXPECT threads=1: implicit == 17
 * // EXPECT threads=1: loops == 17
 * // EXPECT threads=1: chunks == 33
 * // EXPECT threads=2: implicit == 18
 * // EXPECT threads=2: loops == 18
 * // EXPECT threads>1: chunks == 40
 * // EXPECT threads=1: iterations == 40
 * // EXPECT threads>1: iterations == 40
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 8; i++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
		for (int j = 0; j < 4; j++)
			sink(j);
	}
	return 0;
}
