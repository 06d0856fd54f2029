/* SPDX-License-Identifier: MIT */
/*
 * tool.c - an OMPT tool that asks for every event, and writes what it got to a file at the end.
 *
 *   TOOL_OUT=FILE      where to; without it the tool declines
 *   TOOL_DECLINES=1    its initialize returns 0
 * Compiled with -DTOOL_ENV='"NAME"' it asks for NAME in place of TOOL_OUT.
 *
 * Lines: the answers to ompt_set_callback, how often each event came, from which places of the
 * code, and which data words held what this tool had put there ("known"), nothing, or something
 * else. Each line is one that a run without a recorder has too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TOOL_ENV
#define TOOL_ENV "TOOL_OUT"
#endif
#define EVENTS_N 40
#define PLACES_N 4096

static atomic_long n_events[EVENTS_N];
static atomic_long n_words[EVENTS_N][3];
static int answers[EVENTS_N];
static _Atomic uint64_t places[PLACES_N]; /* code << 8 | event */
static atomic_long next_id = 1, n_inits, n_finals, n_wrong_info, n_infos, n_after;
static atomic_int has_ended;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_unique_id_t get_unique_id;
static ompt_get_callback_t get_callback;
static ompt_set_callback_t set_callback;
static ompt_finalize_tool_t finalize_tool;

enum { THREAD = 1, PARALLEL = 2, TASK = 3 };

/* A word of this tool: kind, pattern, number. */
static uint64_t
new_word(int kind)
{
	return (uint64_t)kind << 56 | 0xabcdull << 32 | (uint64_t)atomic_fetch_add(&next_id, 1);
}

static void
word_begin(ompt_data_t *word, int kind)
{
	if (word)
		word->value = new_word(kind);
}

static void
check_word(int event, const ompt_data_t *word, int kind)
{
	if (!word)
		return;
	int is_known =
	    (word->value >> 56) == (uint64_t)kind && (word->value >> 32 & 0xffff) == 0xabcd;
	atomic_fetch_add(&n_words[event][is_known ? 0 : word->value == 0 ? 1 : 2], 1);
}

static void
see(int event, const void *code)
{
	atomic_fetch_add(&n_events[event], 1);
	if (atomic_load(&has_ended))
		atomic_fetch_add(&n_after, 1);
	uint64_t place = (uint64_t)(uintptr_t)code << 8 | (uint64_t)event;
	for (size_t i = place * 0x9e3779b97f4a7c15u >> 52; code; i = (i + 1) % PLACES_N) {
		uint64_t there = 0;
		if (atomic_compare_exchange_strong(&places[i], &there, place) || there == place)
			return;
	}
}

/* The word that the runtime shows is the one that the callback was given. */
static void
check_info(const ompt_data_t *task, const ompt_data_t *parallel)
{
	ompt_data_t *found_task = NULL, *found_parallel = NULL, *of_region = NULL;
	ompt_frame_t *frame = NULL;
	int flags = 0, thread_num = 0, team_size = 0;
	if (get_task_info(0, &flags, &found_task, &frame, &found_parallel, &thread_num) != 2)
		return;
	atomic_fetch_add(&n_infos, 1);
	if (task && found_task->value != task->value)
		atomic_fetch_add(&n_wrong_info, 1);
	if (parallel && found_parallel->value != parallel->value)
		atomic_fetch_add(&n_wrong_info, 1);
	if (get_parallel_info(0, &of_region, &team_size) == 2 &&
	    of_region->value != found_parallel->value)
		atomic_fetch_add(&n_wrong_info, 1);
	if (get_thread_data()->value >> 56 != THREAD)
		atomic_fetch_add(&n_wrong_info, 1);
}

static void
on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
	(void)type;
	see(1, NULL);
	word_begin(thread, THREAD);
}

static void
on_thread_end(ompt_data_t *thread)
{
	see(2, NULL);
	check_word(2, thread, THREAD);
}

static void
on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                  unsigned int requested, int flags, const void *code)
{
	(void)frame;
	(void)requested;
	(void)flags;
	see(3, code);
	check_word(3, task, TASK);
	word_begin(parallel, PARALLEL);
}

static void
on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
	(void)flags;
	see(4, code);
	check_word(4, parallel, PARALLEL);
	check_word(4, task, TASK);
}

static void
on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task, int flags,
               int has_dependences, const void *code)
{
	(void)frame;
	(void)has_dependences;
	see(5, code);
	check_word(5, task, TASK);
	if (!(flags & ompt_task_taskwait))
		word_begin(new_task, TASK);
}

static void
on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	see(6, NULL);
	if (status != ompt_taskwait_complete)
		check_word(6, prior, TASK);
	check_word(6, next, TASK);
}

static void
on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                 unsigned int size, unsigned int index, int flags)
{
	(void)size;
	(void)index;
	see(7, NULL);
	if (endpoint == ompt_scope_begin) {
		if (!(flags & ompt_task_initial))
			check_word(7, parallel, PARALLEL);
		word_begin(task, TASK);
		if (!(flags & ompt_task_initial))
			check_info(task, parallel);
	} else {
		check_word(7, parallel, PARALLEL);
		check_word(7, task, TASK);
		/* libomp aborts where it finds a worker's word in use at a later wait for
		 * dependences */
		task->value = 0;
	}
}

static void
on_sync(int event, ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
	see(event, code);
	check_word(event, parallel, PARALLEL);
	check_word(event, task, TASK);
}

static void
on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
               ompt_data_t *task, const void *code)
{
	on_sync(23, parallel, task, code);
	if (kind == ompt_sync_region_taskwait && endpoint == ompt_scope_begin)
		check_info(task, parallel);
}

static void
on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, const void *code)
{
	(void)kind;
	(void)endpoint;
	on_sync(16, parallel, task, code);
}

static void
on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
             ompt_data_t *task, const void *code)
{
	(void)kind;
	(void)endpoint;
	on_sync(31, parallel, task, code);
}

static void
on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
        uint64_t count, const void *code)
{
	(void)type;
	(void)endpoint;
	(void)count;
	on_sync(20, parallel, task, code);
}

static void
on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
          const void *code)
{
	(void)endpoint;
	on_sync(21, parallel, task, code);
}

static void
on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
	(void)kind;
	(void)instance;
	on_sync(32, parallel, task, NULL);
}

static void
on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n)
{
	(void)list;
	(void)n;
	(void)task;
	see(18, NULL);
}

/* Whether a predecessor is still unfinished depends on time. */
static void
on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	(void)sink;
	if (source->value >> 56 != TASK)
		atomic_fetch_add(&n_wrong_info, 1);
}

static void
on_cancel(ompt_data_t *task, int flags, const void *code)
{
	(void)flags;
	see(30, code);
	check_word(30, task, TASK);
}

#define ON_MUTEX(name, event)                                                                      \
	static void on_##name(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *code)           \
	{                                                                                          \
		(void)kind;                                                                        \
		(void)mutex;                                                                       \
		see(event, code);                                                                  \
	}
ON_MUTEX(mutex_released, 17)
ON_MUTEX(lock_destroy, 25)
ON_MUTEX(mutex_acquired, 27)

#define ON_ACQUIRE(name, event)                                                                    \
	static void on_##name(ompt_mutex_t kind, unsigned int hint, unsigned int impl,             \
	                      ompt_wait_id_t mutex, const void *code)                              \
	{                                                                                          \
		(void)kind;                                                                        \
		(void)hint;                                                                        \
		(void)impl;                                                                        \
		(void)mutex;                                                                       \
		see(event, code);                                                                  \
	}
ON_ACQUIRE(lock_init, 24)
ON_ACQUIRE(mutex_acquire, 26)

static void
on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t mutex, const void *code)
{
	(void)endpoint;
	(void)mutex;
	see(28, code);
}

static void
on_flush(ompt_data_t *thread, const void *code)
{
	see(29, code);
	check_word(29, thread, THREAD);
}

/* Command 1 asks this tool to end; the answer is the program's. */
static int
on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code)
{
	(void)arg;
	see(11, code);
	if (command == 1)
		finalize_tool();
	return (int)modifier;
}

#define SET(event, name) [event] = (ompt_callback_t)(void (*)(void))on_##name
static const ompt_callback_t callbacks[EVENTS_N] = {
    SET(1, thread_begin),    SET(2, thread_end),    SET(3, parallel_begin),
    SET(4, parallel_end),    SET(5, task_create),   SET(6, task_schedule),
    SET(7, implicit_task),   SET(11, control_tool), SET(16, sync_region_wait),
    SET(17, mutex_released), SET(18, dependences),  SET(19, task_dependence),
    SET(20, work),           SET(21, masked),       SET(23, sync_region),
    SET(24, lock_init),      SET(25, lock_destroy), SET(26, mutex_acquire),
    SET(27, mutex_acquired), SET(28, nest_lock),    SET(29, flush),
    SET(30, cancel),         SET(31, reduction),    SET(32, dispatch),
};

/* What can be asked of registration: set, replace, remove, set again, an event that is none. */
static void
try_registration(FILE *out)
{
	ompt_callback_t found = NULL;
	int has = get_callback(ompt_callback_work, &found);
	fprintf(out, "work: get %d same %d\n", has, found == callbacks[20]);
	fprintf(out, "work: unset %d", (int)set_callback(ompt_callback_work, NULL));
	found = NULL;
	fprintf(out, " get %d", get_callback(ompt_callback_work, &found));
	fprintf(out, " set %d\n", (int)set_callback(ompt_callback_work, callbacks[20]));
	fprintf(out, "flush: unset %d", (int)set_callback(ompt_callback_flush, NULL));
	fprintf(out, " set %d\n", (int)set_callback(ompt_callback_flush, callbacks[29]));
	fprintf(out, "event 39: %d event 1000: %d\n",
	        (int)set_callback((ompt_callbacks_t)39, callbacks[20]),
	        (int)set_callback((ompt_callbacks_t)1000, callbacks[20]));
	for (int event = 1; event < EVENTS_N; event++)
		fprintf(out, "answer %d: %d\n", event, answers[event]);
}

static FILE *
open_out(const char *mode)
{
	const char *path = getenv(TOOL_ENV);
	return path ? fopen(path, mode) : NULL;
}

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	(void)device;
	atomic_fetch_add(&n_inits, 1);
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
	get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
	get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
	finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
	for (int event = 1; event < EVENTS_N; event++)
		if (callbacks[event])
			answers[event] =
			    (int)set_callback((ompt_callbacks_t)event, callbacks[event]);
	FILE *out = open_out("w");
	if (!out)
		return 0;
	fprintf(out, "own word at the start %ld, unknown entry point %d, unique ids %d\n",
	        (long)tool->value, lookup("ompt_no_such_thing") != NULL,
	        get_unique_id() != get_unique_id());
	tool->value = 4711;
	try_registration(out);
	fclose(out);
	return getenv("TOOL_DECLINES") == NULL;
}

/* Addresses of the program and of libraries, the same in every run. */
static void
print_places(FILE *out)
{
	for (size_t i = 0; i < PLACES_N; i++) {
		Dl_info info;
		uint64_t place = atomic_load(&places[i]);
		const char *code = (const char *)(uintptr_t)(place >> 8);
		if (!code || !dladdr(code, &info))
			continue;
		const char *slash = strrchr(info.dli_fname, '/');
		fprintf(out, "place %d: %s+%#lx\n", (int)(place & 0xff),
		        slash ? slash + 1 : info.dli_fname,
		        (long)(code - (const char *)info.dli_fbase));
	}
}

static void
finalize(ompt_data_t *tool)
{
	FILE *out = open_out("a");
	atomic_store(&has_ended, 1);
	atomic_fetch_add(&n_finals, 1);
	if (!out)
		return;
	for (int event = 1; event < EVENTS_N; event++)
		if (atomic_load(&n_events[event]))
			fprintf(out, "event %d: %ld, words known %ld empty %ld strange %ld\n",
			        event, atomic_load(&n_events[event]),
			        atomic_load(&n_words[event][0]), atomic_load(&n_words[event][1]),
			        atomic_load(&n_words[event][2]));
	fprintf(
	    out,
	    "own word %ld; info asked %ld, wrong %ld; initialized %ld, finalized %ld, later %ld\n",
	    (long)tool->value, atomic_load(&n_infos), atomic_load(&n_wrong_info),
	    atomic_load(&n_inits), atomic_load(&n_finals), atomic_load(&n_after));
	print_places(out);
	fclose(out);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	if (!getenv(TOOL_ENV) || omp_version == 0 || !runtime_version)
		return NULL;
	return &result;
}
