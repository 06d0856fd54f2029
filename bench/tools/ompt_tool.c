/* SPDX-License-Identifier: MIT */
/*
 * ompt_tool.c - the reference OMPT tools: null, empty, ring, floor, file (store.h says what each
 * does with an event). KIND_NULL registers nothing; the others register the same callbacks.
 *
 *   cc -O2 -fPIC -shared -DKIND=KIND_RING -idirafter DIR_OF_OMP_TOOLS_H ompt_tool.c -o ring.so
 *   OMP_TOOL_LIBRARIES=$PWD/ring.so ./program
 *
 * With -DWITH_GRAINS, and the folder include/ of the source, also the callbacks of
 * winnow/ompt-grain.h; these have no body whatever KIND is.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <omp-tools.h>
#pragma GCC diagnostic pop

#include "store.h"

#ifdef WITH_GRAINS
#include <winnow/ompt-grain.h>
#endif

#if KIND != KIND_NULL

static void
on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *parallel,
                  unsigned int requested, int flags, const void *codeptr)
{
	(void)encountering, (void)frame, (void)flags;
	parallel->value = store_new_id();
	store_event(STORE_PARALLEL_BEGIN, requested, parallel->value, (uintptr_t)codeptr);
}

static void
on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering, int flags, const void *codeptr)
{
	(void)encountering, (void)flags;
	store_event(STORE_PARALLEL_END, 0, parallel->value, (uintptr_t)codeptr);
}

static void
on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                 unsigned int team_size, unsigned int index, int flags)
{
	(void)team_size, (void)flags;
	if (endpoint == ompt_scope_begin)
		task->value = store_new_id();
	store_event(STORE_IMPLICIT, (uint64_t)endpoint << 16 | (index & 0xffff), task->value,
	            parallel ? parallel->value : 0);
}

static void
on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task, int flags,
               int has_dependences, const void *codeptr)
{
	(void)encountering, (void)frame, (void)has_dependences;
	task->value = store_new_id();
	store_event(STORE_CREATE, (uint32_t)flags, task->value, (uintptr_t)codeptr);
}

static void
on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	store_event(STORE_SWITCH, (uint64_t)status, prior ? prior->value : 0,
	            next ? next->value : 0);
}

static void
on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
               ompt_data_t *task, const void *codeptr)
{
	(void)parallel;
	store_event(STORE_SYNC, (uint64_t)kind << 8 | (uint64_t)endpoint, task ? task->value : 0,
	            (uintptr_t)codeptr);
}

static void
on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
        uint64_t count, const void *codeptr)
{
	(void)parallel, (void)task;
	store_event(STORE_WORK, (uint64_t)type << 8 | (uint64_t)endpoint, count,
	            (uintptr_t)codeptr);
}

static void
on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
	(void)parallel;
	store_event(STORE_CHUNK, (uint64_t)kind, task ? task->value : 0, instance.value);
}

#ifdef WITH_GRAINS

static void
on_loop(ext_loop_sched_t sched, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
        ompt_data_t *task, int is_signed, int64_t step, const void *codeptr)
{
	(void)sched, (void)endpoint, (void)parallel, (void)task, (void)is_signed, (void)step;
	(void)codeptr;
}

static void
on_chunk(ompt_data_t *task, int64_t lower, int64_t upper, double duration, int is_last)
{
	(void)task, (void)lower, (void)upper, (void)duration, (void)is_last;
}

static double
tool_time(void)
{
	return 0;
}

static void
on_created(ompt_data_t *encountering, ompt_data_t task, double duration, const void *codeptr)
{
	(void)encountering, (void)task, (void)duration, (void)codeptr;
}

#endif

static const struct {
	ompt_callbacks_t event;
	ompt_callback_t callback;
} callbacks[] = {
#ifdef WITH_GRAINS
    {(ompt_callbacks_t)ext_callback_loop, (ompt_callback_t)(void (*)(void))on_loop},
    {(ompt_callbacks_t)ext_callback_chunk, (ompt_callback_t)(void (*)(void))on_chunk},
    {(ompt_callbacks_t)ext_tool_time, (ompt_callback_t)(void (*)(void))tool_time},
    {(ompt_callbacks_t)ompt_grain_callback_task_created,
     (ompt_callback_t)(void (*)(void))on_created},
#endif
    {ompt_callback_parallel_begin, (ompt_callback_t)(void (*)(void))on_parallel_begin},
    {ompt_callback_parallel_end, (ompt_callback_t)(void (*)(void))on_parallel_end},
    {ompt_callback_implicit_task, (ompt_callback_t)(void (*)(void))on_implicit_task},
    {ompt_callback_task_create, (ompt_callback_t)(void (*)(void))on_task_create},
    {ompt_callback_task_schedule, (ompt_callback_t)(void (*)(void))on_task_schedule},
    {ompt_callback_sync_region, (ompt_callback_t)(void (*)(void))on_sync_region},
    {ompt_callback_work, (ompt_callback_t)(void (*)(void))on_work},
    {ompt_callback_dispatch, (ompt_callback_t)(void (*)(void))on_dispatch},
};

#endif

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	(void)device, (void)tool;
#if KIND == KIND_NULL
	(void)lookup;
#else
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");

	for (size_t i = 0; set_callback && i < sizeof callbacks / sizeof *callbacks; i++)
		set_callback(callbacks[i].event, callbacks[i].callback);
#endif
	return 1;
}

static void
finalize(ompt_data_t *tool)
{
	(void)tool;
	store_finish();
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)omp_version, (void)runtime_version;
	return &result;
}
