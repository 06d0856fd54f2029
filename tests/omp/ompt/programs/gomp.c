/* SPDX-License-Identifier: MIT */
/* Built by gcc too, and run with libomp in libgomp's place: fewer things are told, none is wrong.
 *
 * // GCC
 * // EXPECT: tasks == 8
 * // EXPECT: depends == 3
 * // EXPECT: waitpoints == 2
 */
#include "sink.h"

int
main(void)
{
	int a[2] = {0};
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 3)
		for (int i = 100; i > 60; i -= 2)
			sink(i);
#pragma omp for ordered(1)
		for (int i = 0; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
			sink(i);
#pragma omp ordered depend(source)
		}
#pragma omp sections
		{
#pragma omp section
			work();
#pragma omp section
			work();
		}
#pragma omp critical
		a[1]++;
#pragma omp single
		{
#pragma omp task depend(out : a[0])
			a[0]++;
#pragma omp task if (0) depend(inout : a[0])
			a[0]++;
#pragma omp taskwait depend(in : a[0])
#pragma omp taskgroup
#pragma omp task untied
			{
				work();
#pragma omp taskyield
				work();
			}
#pragma omp task final(1)
			work();
#pragma omp taskloop num_tasks(4)
			for (int i = 0; i < 8; i++)
				sink(i);
		}
	}
	return 0;
}
