/* SPDX-License-Identifier: MIT */
/* A million chunks are not written down one by one.
 *
 * // EXPECT threads=2: chunks == 2
 * // EXPECT threads=2: notes_merged == 2
 * // UNCOVERED threads>1
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 1000000; i++)
		sink(i);
	return 0;
}
