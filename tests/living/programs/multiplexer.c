/* SPDX-License-Identifier: MIT */
/*
 * multiplexer.c - an OMPT tool that is itself two: it loads the tools of MULTIPLEXED ("a.so:b.so")
 * and gives each of them callbacks and data words of its own, as tools do that want to work
 * together.
 *
 * What the runtime's word points to is on the heap and belongs to this tool; it lives as long as
 * the process.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdlib.h>
#include <string.h>

#define TOOLS_N  2
#define EVENTS_N 40

struct words {
	ompt_data_t of[TOOLS_N];
};

static ompt_start_tool_result_t *tools[TOOLS_N];
static ompt_callback_t wanted[TOOLS_N][EVENTS_N];
static ompt_function_lookup_t runtime_lookup;
static ompt_set_callback_t set_callback;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_thread_data_t get_thread_data;

static void
begin(ompt_data_t *word)
{
	if (word)
		word->ptr = calloc(1, sizeof(struct words));
}

static ompt_data_t *
of(ompt_data_t *word, int tool)
{
	if (!word)
		return NULL;
	struct words *found = __atomic_load_n((struct words **)&word->ptr, __ATOMIC_ACQUIRE);
	if (found)
		return &found->of[tool];
	struct words *made = calloc(1, sizeof *made);
	if (!__atomic_compare_exchange_n((struct words **)&word->ptr, &found, made, 0,
	                                 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		free(made);
	else
		found = made;
	return &found->of[tool];
}

#define EACH(event, type, ...)                                                                     \
	for (int k = 0; k < TOOLS_N; k++)                                                          \
		if (wanted[k][event])                                                              \
	((type)wanted[k][event])(__VA_ARGS__)

static void
on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
	begin(thread);
	EACH(1, ompt_callback_thread_begin_t, type, of(thread, k));
}

static void
on_thread_end(ompt_data_t *thread)
{
	EACH(2, ompt_callback_thread_end_t, of(thread, k));
}

static void
on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                  unsigned int requested, int flags, const void *code)
{
	begin(parallel);
	EACH(3, ompt_callback_parallel_begin_t, of(task, k), frame, of(parallel, k), requested,
	     flags, code);
}

static void
on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
	EACH(4, ompt_callback_parallel_end_t, of(parallel, k), of(task, k), flags, code);
}

/* The word of a wait for dependences is not touched: libomp aborts over one in use. */
static void
on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task, int flags,
               int has_dependences, const void *code)
{
	struct words none = {0};
	if (!(flags & ompt_task_taskwait))
		begin(new_task);
	EACH(5, ompt_callback_task_create_t, of(task, k), frame,
	     flags & ompt_task_taskwait ? &none.of[k] : of(new_task, k), flags, has_dependences,
	     code);
}

static void
on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct words none = {0};
	EACH(6, ompt_callback_task_schedule_t,
	     status == ompt_taskwait_complete ? &none.of[k] : of(prior, k), status, of(next, k));
}

static void
on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                 unsigned int size, unsigned int index, int flags)
{
	if (endpoint == ompt_scope_begin)
		begin(task);
	EACH(7, ompt_callback_implicit_task_t, endpoint, of(parallel, k), of(task, k), size, index,
	     flags);
	if (endpoint == ompt_scope_end)
		task->ptr = NULL;
}

static void
on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
        uint64_t count, const void *code)
{
	EACH(20, ompt_callback_work_t, type, endpoint, of(parallel, k), of(task, k), count, code);
}

static void
on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
               ompt_data_t *task, const void *code)
{
	EACH(23, ompt_callback_sync_region_t, kind, endpoint, of(parallel, k), of(task, k), code);
}

#define SET(event, name) [event] = (ompt_callback_t)(void (*)(void))on_##name
static const ompt_callback_t own[EVENTS_N] = {
    SET(1, thread_begin),  SET(2, thread_end),  SET(3, parallel_begin),
    SET(4, parallel_end),  SET(5, task_create), SET(6, task_schedule),
    SET(7, implicit_task), SET(20, work),       SET(23, sync_region),
};

static ompt_set_result_t
set_for(int tool, ompt_callbacks_t event, ompt_callback_t callback)
{
	if ((unsigned)event >= EVENTS_N || !own[event])
		return ompt_set_never;
	wanted[tool][event] = callback;
	return set_callback(event, own[event]);
}

static int
get_for(int tool, ompt_callbacks_t event, ompt_callback_t *callback)
{
	if ((unsigned)event >= EVENTS_N || !wanted[tool][event])
		return 0;
	*callback = wanted[tool][event];
	return 1;
}

static int
task_info_for(int tool, int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
              ompt_data_t **parallel, int *thread_num)
{
	int answer = get_task_info(level, flags, task, frame, parallel, thread_num);
	if (answer == 2 && task)
		*task = of(*task, tool);
	if (answer == 2 && parallel)
		*parallel = of(*parallel, tool);
	return answer;
}

static int
parallel_info_for(int tool, int level, ompt_data_t **parallel, int *size)
{
	int answer = get_parallel_info(level, parallel, size);
	if (answer == 2 && parallel)
		*parallel = of(*parallel, tool);
	return answer;
}

/* Entry points have no argument that says whose they are: each tool has a set. */
#define ENTRY_POINTS(k)                                                                            \
	static ompt_set_result_t set_##k(ompt_callbacks_t event, ompt_callback_t callback)         \
	{                                                                                          \
		return set_for(k, event, callback);                                                \
	}                                                                                          \
	static int get_##k(ompt_callbacks_t event, ompt_callback_t *callback)                      \
	{                                                                                          \
		return get_for(k, event, callback);                                                \
	}                                                                                          \
	static int task_info_##k(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,  \
	                         ompt_data_t **parallel, int *thread_num)                          \
	{                                                                                          \
		return task_info_for(k, level, flags, task, frame, parallel, thread_num);          \
	}                                                                                          \
	static int parallel_info_##k(int level, ompt_data_t **parallel, int *size)                 \
	{                                                                                          \
		return parallel_info_for(k, level, parallel, size);                                \
	}                                                                                          \
	static ompt_data_t *thread_data_##k(void)                                                  \
	{                                                                                          \
		return of(get_thread_data(), k);                                                   \
	}                                                                                          \
	static ompt_interface_fn_t lookup_##k(const char *name)                                    \
	{                                                                                          \
		if (strcmp(name, "ompt_set_callback") == 0)                                        \
			return (ompt_interface_fn_t)(void (*)(void))set_##k;                       \
		if (strcmp(name, "ompt_get_callback") == 0)                                        \
			return (ompt_interface_fn_t)(void (*)(void))get_##k;                       \
		if (strcmp(name, "ompt_get_task_info") == 0)                                       \
			return (ompt_interface_fn_t)(void (*)(void))task_info_##k;                 \
		if (strcmp(name, "ompt_get_parallel_info") == 0)                                   \
			return (ompt_interface_fn_t)(void (*)(void))parallel_info_##k;             \
		if (strcmp(name, "ompt_get_thread_data") == 0)                                     \
			return (ompt_interface_fn_t)(void (*)(void))thread_data_##k;               \
		return runtime_lookup(name);                                                       \
	}
ENTRY_POINTS(0)
ENTRY_POINTS(1)

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	static const ompt_function_lookup_t lookups[TOOLS_N] = {lookup_0, lookup_1};
	(void)tool;
	runtime_lookup = lookup;
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
	get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
	for (int event = 1; event < EVENTS_N; event++)
		if (own[event])
			set_callback((ompt_callbacks_t)event, own[event]);
	for (int k = 0; k < TOOLS_N; k++)
		if (tools[k] && !tools[k]->initialize(lookups[k], device, &tools[k]->tool_data))
			return 0;
	return 1;
}

static void
finalize(ompt_data_t *tool)
{
	(void)tool;
	for (int k = 0; k < TOOLS_N; k++)
		if (tools[k])
			tools[k]->finalize(&tools[k]->tool_data);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	char *list = strdup(getenv("MULTIPLEXED") ? getenv("MULTIPLEXED") : ""), *rest = NULL;
	int k = 0;
	for (char *name = strtok_r(list, ":", &rest); name && k < TOOLS_N;
	     name = strtok_r(NULL, ":", &rest), k++) {
		void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
		ompt_start_tool_result_t *(*start)(unsigned int, const char *) = NULL;
		if (handle)
			*(void **)&start = dlsym(handle, "ompt_start_tool");
		tools[k] = start ? start(omp_version, runtime_version) : NULL;
	}
	free(list);
	return k == TOOLS_N && tools[0] && tools[1] ? &result : NULL;
}
