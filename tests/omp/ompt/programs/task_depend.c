/* SPDX-License-Identifier: MIT */
/* // EXPECT: tasks == 20
 * // EXPECT: dependent == 20
 * // EXPECT: depends == 20
 * // EXPECT: depends_inout == 20
 * // EXPECT: ended == 20
 * // EXPECT: create_ends == 20
 */
#include "sink.h"

int
main(void)
{
	int a[4] = {0};
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : a[i % 4])
		a[i % 4]++;
	}
	return 0;
}
