/* SPDX-License-Identifier: MIT */
/* Both layouts of GOMP_task's depend array, depobj of each kind, iterators. */
// EXPECT: tasks 6+1
// EXPECT: begun 7
// EXPECT: dependent 7
// EXPECT: depend_inout 2+2+1+1+1+1
// EXPECT: depend_in 1+1+1+8+1
// EXPECT: depend_mutexinoutset 2+1
// EXPECT: depend_out 1
// EXPECT: waitpoints 0
#include <omp.h>

int
main(void)
{
	int a[8] = {0}, n = 8, n_run = 0;
	omp_depend_t in, out, inout, mutex;
#pragma omp depobj(in) depend(in : a[0])
#pragma omp depobj(out) depend(out : a[1])
#pragma omp depobj(inout) depend(inout : a[2])
#pragma omp depobj(mutex) depend(mutexinoutset : a[3])
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(in : a[0]) depend(out : a[1]) depend(inout : a[2]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(mutexinoutset                                                              \
                        : a[3]) depend(out                                                         \
                                       : a[4], a[5]) depend(in                                     \
                                                            : a[6]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(mutexinoutset : a[3]) depend(inout : a[6]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(depobj : in, out, inout, mutex) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(iterator(i = 0 : n), in : a[i]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp depobj(inout) update(in)
#pragma omp depobj(in) update(inout)
#pragma omp task depend(depobj : inout, in) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(out : a[7]) priority(3) untied mergeable shared(n_run)
#pragma omp atomic
		n_run++;
	}
#pragma omp depobj(in) destroy
	return n_run != 7;
}
