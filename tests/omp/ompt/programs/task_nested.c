/* SPDX-License-Identifier: MIT */
/* Recursion: 2^9 - 2 tasks below the first, each inner one waits for two.
 *
 * // EXPECT: tasks == 510
 * // EXPECT: ended == 510
 * // EXPECT: create_ends == 510
 * // EXPECT: taskwaits == 255
 * // EXPECT: suspends == 0
 */
#include "sink.h"

static void
tree(int depth)
{
	if (depth == 0)
		return;
#pragma omp task
	tree(depth - 1);
#pragma omp task
	tree(depth - 1);
#pragma omp taskwait
	sink(depth);
}

int
main(void)
{
#pragma omp parallel
#pragma omp single
	tree(8);
	return 0;
}
