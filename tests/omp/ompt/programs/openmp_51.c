/* SPDX-License-Identifier: MIT */
/* Constructs of OpenMP 5.1.
 *
 * // FLAGS: -fopenmp-version=51
 * // COMPILERS: clang-19
 */
#include "../../../programs/several.h"
#include "sink.h"

/* // EXPECT threads=1: masked == 2
 * // EXPECT threads>1: masked == 3
 * // EXPECT: tasks == 2
 */
PROGRAM(masked)
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

/* The kinds of OpenMP 5.1. libomp 14 and 16 do not run such programs as meant; what is asked for is
 * recorded all the same.
 *
 * // EXPECT: tasks == 5
 * // EXPECT: ended == 5
 * // EXPECT: depends == 5
 * // EXPECT: depends_inoutset == 2
 * // EXPECT: depends_all == 2
 * // EXPECT: depends_inout == 1
 */
PROGRAM(task_depend_51)
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

/* libomp waits although it need not; what it does is what is recorded.
 *
 * // EXPECT: tasks == 2
 * // EXPECT: waitpoints == 1
 * // EXPECT: depend_waits == 1
 * // EXPECT: depends == 3
 */
PROGRAM(taskwait_depend_nowait)
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
