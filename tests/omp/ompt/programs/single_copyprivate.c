/* SPDX-License-Identifier: MIT */
/* The value is handed on between two barriers that belong to the construct.
 *
 * // EXPECT: single_executor == 1
 * // EXPECT threads>1: barriers_implicit == 2*T
 */
#include "sink.h"

int
main(void)
{
	int n = 0;
#pragma omp parallel firstprivate(n)
	{
#pragma omp single copyprivate(n)
		n = 42;
		sink(n);
	}
	return 0;
}
