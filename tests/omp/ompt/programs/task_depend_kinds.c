/* SPDX-License-Identifier: MIT */
/* Every kind of dependence that all compilers know; depobj stands for what it was made of, an
 * iterator for all its values. A clause of `out` reaches the runtime as inout.
 *
 * // EXPECT: tasks == 7
 * // EXPECT: dependent == 7
 * // EXPECT: ended == 7
 * // EXPECT: depends == 10
 * // EXPECT: depends_in == 4
 * // EXPECT: depends_inout == 4
 * // EXPECT: depends_mutexinoutset == 2
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
	int a[8] = {0};
	omp_depend_t object;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : a[0])
		work();
#pragma omp task depend(mutexinoutset : a[0])
		work();
#pragma omp task depend(mutexinoutset : a[0])
		work();
#pragma omp task depend(in : a[0]) depend(inout : a[1])
		work();
#pragma omp task depend(iterator(int i = 1 : 3), in : a[i]) depend(out : a[4])
		work();
#pragma omp depobj(object) depend(inout : a[4])
#pragma omp task depend(depobj : object)
		work();
#pragma omp taskwait
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object)
		work();
#pragma omp taskwait
#pragma omp depobj(object) destroy
	}
	return 0;
}
