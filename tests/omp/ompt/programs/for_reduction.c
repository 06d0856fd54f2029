/* SPDX-License-Identifier: MIT */
/* // EXPECT: loops == 2*T
 * // EXPECT: iterations == 200
 */
#include "sink.h"

int
main(void)
{
	long sum = 0;
#pragma omp parallel
	{
#pragma omp for reduction(+ : sum) schedule(dynamic, 10)
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp for reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum += i;
	}
	return sum != 9900;
}
