/* SPDX-License-Identifier: MIT */
/* // EXPECT: taskloops == 1
 * // EXPECT: ranged == 4
 * // EXPECT: ranged_iterations == 100
 * // EXPECT: groups == 1
 */
#include "sink.h"

int
main(void)
{
	long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) num_tasks(4)
	for (int i = 0; i < 100; i++)
		sum += i;
	sink(sum);
	return sum != 4950;
}
