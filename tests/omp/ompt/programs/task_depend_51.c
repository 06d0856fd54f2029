/* SPDX-License-Identifier: MIT */
/* The kinds of OpenMP 5.1. libomp 14 and 16 do not run such programs as meant; what is asked for is
 * recorded all the same.
 *
 * // FLAGS: -fopenmp-version=51
 * // COMPILERS: clang-19
 * // EXPECT: tasks == 5
 * // EXPECT: ended == 5
 * // EXPECT: depends == 5
 * // EXPECT: depends_inoutset == 2
 * // EXPECT: depends_all == 2
 * // EXPECT: depends_inout == 1
 */
#include "sink.h"

int
main(void)
{
	int a[2] = {0};
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : a[0])
		work();
#pragma omp task depend(inoutset : a[0])
		work();
#pragma omp task depend(inoutset : a[0])
		work();
#pragma omp task depend(out : omp_all_memory)
		work();
#pragma omp task depend(inout : omp_all_memory)
		work();
	}
	return 0;
}
