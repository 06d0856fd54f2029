/* SPDX-License-Identifier: MIT */
/* Tasks of a team of one run when they are created; their clauses are recorded before what they
 * create themselves.
 *
 * // EXPECT: tasks == 6
 * // EXPECT: dependent == 6
 * // EXPECT: undeferred == 6
 * // EXPECT: depends == 9
 */
#include "sink.h"

int
main(void)
{
	int a[2] = {0};
#pragma omp parallel num_threads(1)
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task depend(inout : a[0]) depend(in : a[1])
		{
#pragma omp task depend(in : a[0])
			work();
			work();
		}
	}
	return 0;
}
