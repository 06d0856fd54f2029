/* SPDX-License-Identifier: MIT */
/* Loops outside all regions.
 *
 * // EXPECT: regions == 0
 * // EXPECT: loops == 2
 * // EXPECT: chunks == 2
 * // EXPECT: iterations == 30
 */
#include "sink.h"

int
main(void)
{
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < 10; i++)
		sink(i);
#pragma omp for
	for (int i = 0; i < 20; i++)
		sink(i);
	return 0;
}
