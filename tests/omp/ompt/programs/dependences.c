/* SPDX-License-Identifier: MIT */
/* Tasks that depend on others. */
#include "../../../programs/several.h"
#include "sink.h"

#include <omp.h>

/* // EXPECT: tasks == 20
 * // EXPECT: dependent == 20
 * // EXPECT: depends == 20
 * // EXPECT: depends_inout == 20
 * // EXPECT: ended == 20
 * // EXPECT: create_ends == 20
 */
PROGRAM(task_depend)
{
	int a[4] = {0};
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : a[i % 4])
		a[i % 4]++;
	}
	return 0;
}

/* OMPT tells of a dependence between two tasks only while the first has not finished; the clauses
 * are there whatever happened to run when.
 *
 * // EXPECT: tasks == 2
 * // EXPECT: depends == 2
 * // EXPECT: taskwaits == 1
 */
PROGRAM(task_depend_finished)
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
PROGRAM(task_depend_kinds)
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

/* libomp copies the mutexinoutset clauses of an undeferred task beyond the end of the copy that it
 * makes for a tool, if the tool asked for dependences. The wrapped program must not be asked for.
 *
 * // EXPECT: tasks == 20
 * // EXPECT: waitpoints == 20
 * // EXPECT: depends == 160
 * // EXPECT: depends_mutexinoutset == 160
 */
PROGRAM(task_depend_many_if0)
{
	int a[8] = {0};
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task if (0) depend(mutexinoutset : a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7])
		a[i % 8]++;
	}
	sink(a[0]);
	return 0;
}

/* Tasks of a team of one run when they are created; their clauses are recorded before what they
 * create themselves.
 *
 * // EXPECT: tasks == 6
 * // EXPECT: dependent == 6
 * // EXPECT: undeferred == 6
 * // EXPECT: depends == 9
 */
PROGRAM(task_depend_serial)
{
	int a[2] = {0};
#pragma omp parallel num_threads(1)
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task depend(inout : a[0]) depend(in : a[1])
		{
#pragma omp task depend(in : a[0])
			work();
			work();
		}
	}
	return 0;
}
