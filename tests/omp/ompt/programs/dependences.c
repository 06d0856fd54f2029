/* SPDX-License-Identifier: MIT */
/* Tasks that depend on others, target tasks too, and waits for dependences. */
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
PROGRAM(target)
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
PROGRAM(task_depend_nested_wait)
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

/* libomp keeps a worker's data word of the region before where a wait for dependences looks for its
 * own, and aborts the program when a tool has put something into it.
 *
 * // EXPECT: regions == 2
 * // EXPECT: depend_waits == 2*T
 * // EXPECT: tasks == 2*T
 */
PROGRAM(task_depend_worker_wait)
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

/* The dependences are carried by a pseudo-task that never runs, and of which libomp 14 does not
 * tell; the task itself has none, but is known to belong to it. A taskwait with depend before an
 * undeferred task without is not mistaken for such a pair.
 *
 * // EXPECT: tasks == 4
 * // EXPECT: dependent == 3
 * // EXPECT threads>1: undeferred == 3
 * // EXPECT: begun == 4
 * // EXPECT: ended == 4
 * // EXPECT: create_ends == 4
 * // EXPECT: waitpoints == 3
 * // EXPECT: depend_waits == 3
 * // EXPECT: depends == 4
 */
PROGRAM(task_if0_depend)
{
	int a[1] = {0};
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(inout : a[0])
		work();
		for (int i = 0; i < 2; i++) {
#pragma omp task if (0) depend(inout : a[0])
			sink(a[0]);
		}
#pragma omp taskwait depend(in : a[0])
#pragma omp task if (0)
		sink(a[0]);
	}
	return 0;
}

/* // EXPECT: tasks == 2
 * // EXPECT: ended == 2
 * // EXPECT: create_ends == 2
 * // EXPECT: waitpoints == 1
 * // EXPECT: depend_waits == 1
 * // EXPECT: depends == 2
 */
PROGRAM(taskwait_depend)
{
	int a[1] = {0};
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : a[0])
		work();
#pragma omp task
		work();
#pragma omp taskwait depend(in : a[0])
		sink(1);
	}
	return 0;
}
