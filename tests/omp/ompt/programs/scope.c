/* SPDX-License-Identifier: MIT */
/* The runtime is told nothing of a scope but its barriers, of which a reduction has one more.
 *
 * // FLAGS: -fopenmp-version=51
 * // COMPILERS: clang-22
 * // EXPECT: barriers_implicit == 3*T
 */
#include "sink.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel
	{
#pragma omp scope
		work();
#pragma omp scope reduction(+ : sum)
		sum++;
	}
	return sum == 0;
}
