/* SPDX-License-Identifier: MIT */
/* OMPT tells of a dependence between two tasks only while the first has not finished; the clauses
 * are there whatever happened to run when.
 *
 * // EXPECT: tasks == 2
 * // EXPECT: depends == 2
 * // EXPECT: taskwaits == 1
 */
#include "sink.h"

int
main(void)
{
	int a = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : a)
		a++;
#pragma omp taskwait
#pragma omp task depend(in : a)
		sink(a);
	}
	return 0;
}
