/* SPDX-License-Identifier: MIT */
/* libomp copies the mutexinoutset clauses of an undeferred task beyond the end of the copy that it
 * makes for a tool, if the tool asked for dependences. The wrapped program must not be asked for.
 *
 * // EXPECT: tasks == 20
 * // EXPECT: waitpoints == 20
 * // EXPECT: depends == 160
 * // EXPECT: depends_mutexinoutset == 160
 */
#include "sink.h"

int
main(void)
{
	int a[8] = {0};
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task if (0) depend(mutexinoutset : a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7])
		a[i % 8]++;
	}
	sink(a[0]);
	return 0;
}
