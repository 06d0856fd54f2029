/* SPDX-License-Identifier: MIT */
/* Waits for dependences. */
#include "../../../programs/several.h"
#include "sink.h"

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
