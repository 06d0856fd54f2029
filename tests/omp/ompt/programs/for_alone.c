/* SPDX-License-Identifier: MIT */
/* In a team of one OMPT tells of no chunk of a static loop, hands a dynamic one out whole, and
 * calls a guided one static. The iterations are covered all the same.
 *
 * // EXPECT: loops == 4
 * // EXPECT: iterations == 80
 * // EXPECT: regions == 4
 * // EXPECT: barriers_region == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel for num_threads(1)
	for (int i = 0; i < 20; i++)
		sink(i);
#pragma omp parallel for num_threads(1) schedule(static, 3)
	for (int i = 0; i < 20; i++)
		sink(i);
#pragma omp parallel for num_threads(1) schedule(dynamic, 3)
	for (int i = 0; i < 20; i++)
		sink(i);
#pragma omp parallel for num_threads(1) schedule(guided)
	for (int i = 0; i < 20; i++)
		sink(i);
	return 0;
}
