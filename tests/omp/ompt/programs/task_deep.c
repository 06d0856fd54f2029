/* SPDX-License-Identifier: MIT */
/* Tasks nested deeper than the recorder keeps a stack.
 *
 * // EXPECT: tasks == 3000
 * // EXPECT: begun == 3000
 * // EXPECT: ended == 3000
 * // EXPECT: create_ends == 3000
 * // EXPECT: switches == 0
 */
#include "sink.h"

static void
deeper(int n)
{
	if (n == 0)
		return;
#pragma omp task if (0)
	deeper(n - 1);
	sink(n);
}

int
main(void)
{
#pragma omp parallel
#pragma omp single
	deeper(3000);
	return 0;
}
