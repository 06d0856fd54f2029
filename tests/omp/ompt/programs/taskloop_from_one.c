/* SPDX-License-Identifier: MIT */
/* As flang calls a taskloop: it counts from 1. The ranges that are recorded count from 0.
 *
 * // EXPECT: tasks == 4
 * // EXPECT: taskloop_tasks == 4
 * // EXPECT threads>1 runtime!=14: ranged == 4
 * // EXPECT threads>1 runtime!=14: ranged_iterations == 20
 * // EXPECT threads>1 runtime!=14: ranges_end == 20
 */
#include "sink.h"

#include <stddef.h>
#include <stdint.h>

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

int
main(void)
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
