/* SPDX-License-Identifier: MIT */
/* Taskloops. */
#include "../../../programs/several.h"
#include "sink.h"

/* // EXPECT: taskloops == 3
 * // EXPECT: taskloop_iterations == 50
 * // EXPECT: taskloop_tasks == 16
 * // EXPECT: taskloop_planned == 16
 * // EXPECT: ranged == 16
 * // EXPECT: ranged_iterations == 50
 * // EXPECT: begun == 16
 * // EXPECT: ended == 16
 * // EXPECT: create_ends == 16
 * // EXPECT: groups == 2
 * // EXPECT: group_waits == 2
 * // EXPECT: foreign == 0
 * // EXPECT: null_task_sites == 0
 */
PROGRAM(taskloop)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(7)
		for (int i = 0; i < 30; i++)
			sink(i);
#pragma omp taskloop grainsize(3) nogroup
		for (int i = 20; i > 0; i -= 2)
			sink(i);
#pragma omp taskloop num_tasks(6)
		for (unsigned long i = 0; i < 10; i++)
			work();
	}
	return 0;
}

/* Without a clause libomp makes ten tasks per thread.
 *
 * // EXPECT: taskloops == 1
 * // EXPECT: taskloop_planned == 10*T
 * // EXPECT: ranged == 10*T
 * // EXPECT: ranged_iterations == 1000
 */
PROGRAM(taskloop_default)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
	for (int i = 0; i < 1000; i++)
		sink(i);
	return 0;
}

/* A taskloop and tasks inside the tasks of a taskloop.
 *
 * // EXPECT: taskloops == 5
 * // EXPECT: ranged == 12
 * // EXPECT: ranged_iterations == 24
 * // EXPECT: taskloop_tasks == 12
 * // EXPECT: tasks == 16
 * // EXPECT: ended == 16
 * // EXPECT: create_ends == 16
 * // EXPECT: groups == 5
 */
PROGRAM(taskloop_nested)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(4)
	for (int i = 0; i < 4; i++) {
#pragma omp taskloop num_tasks(2)
		for (int j = 0; j < 5; j++)
			sink(j);
#pragma omp task
		sink(i);
	}
	return 0;
}

/* // EXPECT: taskloops == 1
 * // EXPECT: ranged == 4
 * // EXPECT: ranged_iterations == 100
 * // EXPECT: groups == 1
 */
PROGRAM(taskloop_reduction)
{
	long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) num_tasks(4)
	for (int i = 0; i < 100; i++)
		sum += i;
	sink(sum);
	return sum != 4950;
}

/* Large taskloops are split by helper tasks, which create for the task that met the loop.
 *
 * // EXPECT: taskloops == 2
 * // EXPECT: ranged == 264
 * // EXPECT: ranged_iterations == 1128
 * // EXPECT: taskloop_tasks >= 264
 * // EXPECT threads=2: taskloop_tasks == 282
 * // EXPECT threads=2: created_by >= 64
 * // EXPECT: groups == 1
 */
PROGRAM(taskloop_split)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(64)
		for (int i = 0; i < 128; i++)
			work();
#pragma omp taskloop num_tasks(200) nogroup
		for (int i = 0; i < 1000; i++)
			work();
	}
	return 0;
}

/* if(0): every task runs where it is created, and only the task itself tells its range.
 *
 * // EXPECT: taskloop_tasks == 5
 * // EXPECT: undeferred == 5
 * // EXPECT: ranged == 5
 * // EXPECT: ranged_iterations == 17
 * // EXPECT: create_ends == 5
 */
PROGRAM(taskloop_undeferred)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop if (0) num_tasks(5)
	for (int i = 0; i < 17; i++)
		sink(i);
	return 0;
}

/* Every task is created; those that have not begun are discarded, and have no range.
 *
 * // EXPECT: tasks == 8
 * // EXPECT: taskloop_tasks == 8
 * // EXPECT: cancels == 1
 * // EXPECT: group_waits == 1
 */
PROGRAM(cancel_taskloop)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(8)
	for (int i = 0; i < 8; i++) {
		work();
		if (i == 2) {
#pragma omp cancel taskgroup
		}
	}
	return 0;
}
