/* SPDX-License-Identifier: MIT */
/* A task that is run while its thread waits for dependences waits for some itself. libomp aborts
 * the program when a tool has put something into the data word of the outer wait.
 *
 * // EXPECT: tasks == 3
 * // EXPECT: dependent == 3
 * // EXPECT: ended == 3
 * // EXPECT: waitpoints == 2
 * // EXPECT: depend_waits == 2
 * // EXPECT: depends == 4
 * // EXPECT: depends_in == 2
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
		{
			int b[1] = {0};
#pragma omp task depend(out : b[0]) shared(b)
			for (int i = 0; i < 100; i++)
				work();
#pragma omp task if (0) depend(in : b[0]) shared(b)
			sink(b[0]);
#pragma omp taskwait
		}
#pragma omp taskwait depend(in : a[0])
		sink(a[0]);
	}
	return 0;
}
