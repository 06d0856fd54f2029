/* SPDX-License-Identifier: MIT */
/* Teams that grow and shrink: threads that are not in the next team hear of their last region's end
 * late or never.
 *
 * // EXPECT: regions == 8
 * // EXPECT: implicit == 25
 * // EXPECT: barriers_region == 22
 * // EXPECT: loops == 25
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
	static const int sizes[] = {2, 6, 1, 4, 1, 7, 1, 1};
	omp_set_dynamic(0);
	for (int k = 0; k < 8; k++) {
		int n = sizes[k] + (k == 7 ? 2 : 0);
#pragma omp parallel for num_threads(n)
		for (int i = 0; i < 10; i++)
			sink(i);
	}
	return 0;
}
