/* SPDX-License-Identifier: MIT */
/* libomp keeps a worker's data word of the region before where a wait for dependences looks for its
 * own, and aborts the program when a tool has put something into it.
 *
 * // EXPECT: regions == 2
 * // EXPECT: depend_waits == 2*T
 * // EXPECT: tasks == 2*T
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	work();
#pragma omp parallel
	{
		int a[1] = {0};
#pragma omp task depend(out : a[0]) shared(a)
		a[0]++;
#pragma omp taskwait depend(in : a[0])
#pragma omp task if (0) depend(inout : a[0]) shared(a)
		a[0]++;
#pragma omp taskwait
		sink(a[0]);
	}
	return 0;
}
