/* SPDX-License-Identifier: MIT */
/* A reduction that no atomic operation can do is done under the runtime's lock in small teams, and
 * in the barrier in larger ones. Only the first is a wait of its own.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT threads=1: reductions == 0
 * // EXPECT threads=4: reductions <= 2*T
 * // EXPECT threads=8: reductions == 0
 */
#include "sink.h"

int
main(void)
{
	int few = 0;
	double many[64] = {0};
#pragma omp parallel
	{
#pragma omp for reduction(* : few)
		for (int i = 0; i < 100; i++)
			few *= i;
#pragma omp for reduction(+ : many)
		for (int i = 0; i < 100; i++)
			many[i % 64] += i;
	}
	return few;
}
