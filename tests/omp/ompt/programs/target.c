/* SPDX-License-Identifier: MIT */
/* Without a device a target construct runs here: at once, or as a task of the runtime's own
 * threads.
 *
 * // EXPECT: tasks == 3
 * // EXPECT: ended == 3
 * // EXPECT: dependent == 3
 * // EXPECT: depends == 3
 * // EXPECT: waitpoints == 1
 * // EXPECT: regions == 2
 * // EXPECT: notes_target == 0
 */
#include "sink.h"

int
main(void)
{
	int x = 0, y = 0;
#pragma omp target map(tofrom : x)
	x++;
#pragma omp parallel num_threads(2)
	sink(x);
#pragma omp parallel
#pragma omp single
	{
#pragma omp target nowait map(tofrom : y) depend(out : y)
		for (int i = 0; i < 1000; i++)
			sink(y++);
#pragma omp target map(tofrom : y) depend(in : y)
		sink(y);
#pragma omp task depend(in : y)
		sink(y);
#pragma omp taskwait
	}
	return 0;
}
