/* SPDX-License-Identifier: MIT */
/* // FLAGS: -fopenmp-version=51
 * // COMPILERS: clang-19
 * // EXPECT threads=1: masked == 2
 * // EXPECT threads>1: masked == 3
 * // EXPECT: tasks == 2
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp masked
		{
#pragma omp task
			work();
#pragma omp task
			work();
#pragma omp taskwait
		}
#pragma omp masked filter(1)
		work();
#pragma omp master
		work();
	}
	return 0;
}
