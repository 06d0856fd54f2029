/* SPDX-License-Identifier: MIT */
/*
 * tool.c - an OMPT tool that hands loops and chunks on to the program (told.h).
 */
#include "../programs/tool.h"
#include "told.h"

static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_grain_get_loop_t get_loop;

static void
on_loop(ext_loop_sched_t sched, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
        ompt_data_t *task, int is_signed, int64_t step, const void *codeptr)
{
	ompt_data_t *running = NULL, *region = NULL;
	ompt_grain_loop_t loop = {0};
	int thread_num = -1;
	if (!get_task_info(0, NULL, &running, NULL, NULL, &thread_num) || running != task)
		told_wrong("a loop of another task");
	if (get_parallel_info(0, &region, NULL) && region != parallel)
		told_wrong("a loop of another region");
	if (!codeptr)
		told_wrong("a loop without a place in the code");
	if (endpoint == ompt_scope_end) {
		told_end(task);
		return;
	}
	int has_loop = get_loop(&loop);
	told_begin(&(struct told_loop){loop.lower, loop.upper, loop.step, loop.iterations,
	                               loop.chunk_size, loop.sched, loop.flags, has_loop,
	                               (int)sched, is_signed, step, thread_num, task});
}

static void
on_chunk(ompt_data_t *task, int64_t lower, int64_t upper, double duration, int is_last)
{
	ompt_data_t *running = NULL;
	if (!get_task_info(0, NULL, &running, NULL, NULL, NULL) || running != task)
		told_wrong("a chunk of another task");
	told_chunk(task, lower, upper, duration, is_last);
}

static int
tool_initialize(ompt_function_lookup_t lookup, ompt_set_callback_t set)
{
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
	get_loop = (ompt_grain_get_loop_t)lookup("ompt_grain_get_loop");
	TOOL_SET(set, ext_tool_time, tool_now);
	TOOL_SET(set, ext_callback_loop, on_loop);
	TOOL_SET(set, ext_callback_chunk, on_chunk);
	return get_loop != NULL;
}
