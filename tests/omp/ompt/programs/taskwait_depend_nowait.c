/* SPDX-License-Identifier: MIT */
/* libomp waits although it need not; what it does is what is recorded.
 *
 * // FLAGS: -fopenmp-version=51
 * // COMPILERS: clang-19
 * // EXPECT: tasks == 2
 * // EXPECT: waitpoints == 1
 * // EXPECT: depend_waits == 1
 * // EXPECT: depends == 3
 */
#include "sink.h"

int
main(void)
{
	int a[1] = {0};
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : a[0])
		work();
#pragma omp taskwait depend(in : a[0]) nowait
#pragma omp task depend(inout : a[0])
		work();
	}
	return 0;
}
