/* SPDX-License-Identifier: MIT */
/* Taskloops. */
#include "../../../programs/several.h"
#include "sink.h"

#include <stddef.h>
#include <stdint.h>

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

struct task {
	void *shareds;
	int32_t (*routine)(int32_t gtid, void *task);
	int32_t part_id;
	void *data1, *data2;
	uint64_t lower, upper;
	int64_t step;
	int32_t is_last;
};

void *__kmpc_omp_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t bytes,
                            size_t shareds_bytes, int32_t (*routine)(int32_t gtid, void *task));
void __kmpc_taskloop(void *loc, int32_t gtid, struct task *task, int32_t if_value, uint64_t *lower,
                     uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched, uint64_t size,
                     void *dup);
int32_t __kmpc_global_thread_num(void *loc);

static int32_t
run(int32_t gtid, void *task)
{
	struct task *t = task;
	for (uint64_t i = t->lower; i <= t->upper; i++)
		sink((long)i);
	return gtid;
}

/* As flang calls a taskloop: it counts from 1. The ranges that are recorded count from 0.
 *
 * // EXPECT: tasks == 4
 * // EXPECT: taskloop_tasks == 4
 * // EXPECT threads>1 runtime!=14: ranged == 4
 * // EXPECT threads>1 runtime!=14: ranged_iterations == 20
 * // EXPECT threads>1 runtime!=14: ranges_end == 20
 */
PROGRAM(taskloop_from_one)
{
#pragma omp parallel
#pragma omp single
	{
		int32_t gtid = __kmpc_global_thread_num(NULL);
		struct task *task =
		    __kmpc_omp_task_alloc(NULL, gtid, 1, sizeof(struct task), 0, run);
		task->lower = 1;
		task->upper = 20;
		task->step = 1;
		__kmpc_taskloop(NULL, gtid, task, 1, &task->lower, &task->upper, 1, 0, 2, 4, NULL);
	}
	return 0;
}
