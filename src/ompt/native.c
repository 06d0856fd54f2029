/* SPDX-License-Identifier: MIT */
/*
 * native.c - runtimes that have OMPT (LLVM's and relatives): their tool gets the runtime's own
 * entry points, and in addition the extension, implemented by the wrappers in
 * record/sources/libomp.
 *
 * If a runtime implements an event of the extension itself, it sends the event. As long as a tool
 * registers for none of ours, its callbacks are registered unchanged, and wrappers only jump: no
 * thread has a struct wn_thread. Afterwards six of the standard's events are intercepted, because
 * the wrappers need the current implicit task and the created task, and because calls made by a
 * wrapper have another return address.
 */
#include "ompt/start.h"
#include "record/sources/ompt/source.h"

#include <string.h>

bool wn_ompt_is_on;
bool wn_ompt_is_over;
_Atomic(wn_function) wn_ompt_at_end;

/* The tool's runtime has no event for it. */
void
wn_ompt_unseen(enum wn_unseen what)
{
	(void)what;
}
__thread const void *wn_ompt_call_site __attribute__((tls_model("initial-exec")));
__thread void *wn_ompt_microtask __attribute__((tls_model("initial-exec")));

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version);

static ompt_start_tool_result_t *tool;
static ompt_function_lookup_t runtime_lookup;
static ompt_set_callback_t runtime_set;
static ompt_get_callback_t runtime_get;
static ompt_get_task_info_t runtime_task_info;
static atomic_bool has_taskloops;

enum { EVENTS_N = 64 };
/* The tool's callbacks for intercepted events. */
static _Atomic(ompt_callback_t) wanted[EVENTS_N];

/* Calls one of them: CALL_WANTED(event, its type, arguments). */
#define CALL_WANTED(event, type, ...)                                                              \
	do {                                                                                       \
		/* acquire: as in provide_callback() */                                            \
		type call = (type)atomic_load_explicit(&wanted[event], memory_order_acquire);      \
		if (call)                                                                          \
			call(__VA_ARGS__);                                                         \
	} while (0)

/* --- events of the runtime --- */

static const void *
code_of_program(const struct wn_thread *t, const void *codeptr)
{
	if (!t || !range_has(&wn_ompt_own_range, codeptr))
		return codeptr;
	if (t->source_flags & FLAG_IN_LOOP_CALL)
		return wn_ompt_call_site;
	return t->source_flags & WN_TASK_SITE_FUNCTION ? NULL : t->source_ptr[PTR_SUBMIT_SITE];
}

/* Of the region being opened, or of a task whose call is a tail call. */
const void *
provide_native_function(const struct wn_thread *t)
{
	if (!wn_ompt_is_on || wn_ompt_microtask || !t)
		return wn_ompt_is_on ? wn_ompt_microtask : NULL;
	return t->source_flags & WN_TASK_SITE_FUNCTION ? t->source_ptr[PTR_SUBMIT_SITE] : NULL;
}

/* Regions opened by the runtime itself have no function. */
static void
on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *parallel,
                  unsigned int requested, int flags, const void *codeptr)
{
	CALL_WANTED(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t, encountering,
	            frame, parallel, requested, flags, codeptr);
	wn_ompt_microtask = NULL;
}

static void
on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *word,
                 unsigned int team_size, unsigned int index, int flags)
{
	struct wn_thread *t = wn_thread_attach();

	if (t && endpoint == ompt_scope_begin) {
		struct wn_task *task = provide_task_new(t, flags, 1);
		if (task) {
			task->word = word;
			task->region_word = parallel;
			task->outer = t->task;
			task->outer_loop = t->loop;
			t->task = task;
			t->loop = (struct wn_loop_state){0};
		}
	}
	CALL_WANTED(ompt_callback_implicit_task, ompt_callback_implicit_task_t, endpoint, parallel,
	            word, team_size, index, flags);
	if (t && endpoint == ompt_scope_end && t->task && t->task->word == word) {
		struct wn_task *task = t->task;
		loop_close(t, 0); /* a cancelled loop */
		t->loop = task->outer_loop;
		t->task = task->outer;
		provide_task_drop(t, task);
	}
}

/* The thread's state is freed with the thread (thread.c). */
static void
on_thread_end(ompt_data_t *word)
{
	CALL_WANTED(ompt_callback_thread_end, ompt_callback_thread_end_t, word);
}

static double
time_since(uint64_t stamp, double now)
{
	union {
		uint64_t bits;
		double time;
	} begin = {stamp};
	return stamp ? now - begin.time : 0;
}

/* A taskloop's tasks are created inside the runtime's call, or inside helper tasks that split a
 * large loop and create on behalf of the task that encountered it. */
static bool
is_of_taskloop(const struct wn_thread *t, const ompt_data_t *encountering)
{
	ompt_data_t *running = NULL;

	/* relaxed: a thread that runs a taskloop's tasks received them after its begin */
	if (t->n_taskloops > 0 || !atomic_load_explicit(&has_taskloops, memory_order_relaxed))
		return t->n_taskloops > 0;
	return runtime_task_info && runtime_task_info(0, NULL, &running, NULL, NULL, NULL) &&
	       running && running != encountering;
}

static double
creation_time(void)
{
	return provide_time(ompt_grain_callback_task_create, ompt_grain_callback_task_created);
}

/* Sequential creations: each lasts from the end of the previous one, or of the tasks run meanwhile,
 * until now. */
static void
create_in_runtime(struct wn_thread *t, ompt_data_t *encountering, const ompt_frame_t *frame,
                  ompt_data_t *word, int flags, int has_dependences, const void *codeptr)
{
	double took = creation_time() - t->idle_since;

	CALL_WANTED(ompt_callback_task_create, ompt_callback_task_create_t, encountering, frame,
	            word, flags, has_dependences, codeptr);
	CALL_TOOL(ompt_grain_callback_task_create, ompt_grain_callback_task_create_t, encountering,
	          frame, word, flags, has_dependences, took, codeptr);
	CALL_TOOL(ompt_grain_callback_task_created, ompt_grain_callback_task_created_t,
	          encountering, *word, took, codeptr);
	t->idle_since = creation_time();
}

static void
on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *word, int flags,
               int has_dependences, const void *codeptr)
{
	struct wn_thread *t = wn_self;
	bool is_submitted = t && t->source_ptr[PTR_SUBMIT_SITE];

	if (t && !is_submitted && !(flags & (int)ompt_task_taskwait) &&
	    is_of_taskloop(t, encountering)) {
		create_in_runtime(t, encountering, frame, word, flags, has_dependences,
		                  code_of_program(t, codeptr));
		return;
	}
	double now = t ? provide_time(ompt_grain_callback_task_create, 0) : 0;
	double before = is_submitted ? time_since(t->source_tick, now) : 0;

	codeptr = code_of_program(t, codeptr);
	CALL_WANTED(ompt_callback_task_create, ompt_callback_task_create_t, encountering, frame,
	            word, flags, has_dependences, codeptr);
	int more =
	    is_submitted && (t->source_flags & WN_TASK_DETACH) ? OMPT_GRAIN_TASK_DETACHABLE : 0;
	CALL_TOOL(ompt_grain_callback_task_create, ompt_grain_callback_task_create_t, encountering,
	          frame, word, flags | more, has_dependences, before, codeptr);
	if (!is_submitted || t->creating || !provide_callback(ompt_grain_callback_task_created))
		return;
	struct wn_task *task = provide_task_new(t, flags, 1);
	if (!task)
		return;
	task->creator_word = encountering;
	task->first_data = *word;
	task->codeptr = codeptr;
	task->stamp = t->source_tick;
	t->creating = task;
	t->source_flags |= FLAG_CREATION_OPEN;
	t->source_tick = 0;
}

/* A creation ends where the new task runs at once. */
static void
on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct wn_thread *t = wn_self;

	if (t)
		creation_close(t, 0);
	CALL_WANTED(ompt_callback_task_schedule, ompt_callback_task_schedule_t, prior, status,
	            next);
	/* relaxed: as in is_of_taskloop() */
	if (t && atomic_load_explicit(&has_taskloops, memory_order_relaxed))
		t->idle_since = creation_time();
}

bool
provide_native_is_in_loop_call(const struct wn_thread *t)
{
	return wn_ompt_is_on && (t->source_flags & FLAG_IN_LOOP_CALL);
}

/* sources/libomp/tasks.c: the submitting call returns. */
void
provide_native_created(struct wn_thread *t)
{
	struct wn_task *task = t->creating;
	double now = provide_time(ompt_grain_callback_task_created, 0);

	t->creating = NULL;
	provide_created(t, task, time_since(task->stamp, now));
}

static void
on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *word,
        uint64_t count, const void *codeptr)
{
	struct wn_thread *t = wn_self;

	if (t && endpoint == ompt_scope_begin && (t->source_flags & FLAG_IN_LOOP_CALL))
		work_type_set(t, (uint32_t)type);
	if (t && type == ompt_work_taskloop && endpoint == ompt_scope_end)
		t->n_taskloops -= t->n_taskloops > 0;
	codeptr = t && type == ompt_work_taskloop && t->taskloop_site ? t->taskloop_site
	                                                              : code_of_program(t, codeptr);
	CALL_WANTED(ompt_callback_work, ompt_callback_work_t, type, endpoint, parallel, word, count,
	            codeptr);
	if (!t || type != ompt_work_taskloop || endpoint == ompt_scope_end)
		return;
	atomic_store_explicit(&has_taskloops, true, memory_order_relaxed);
	t->n_taskloops++;
	t->idle_since = creation_time();
}

/* --- registration of callbacks --- */

static ompt_callback_t
own_callback_for(int event)
{
	switch (event) {
	case ompt_callback_parallel_begin:
		return (ompt_callback_t)(void (*)(void))on_parallel_begin;
	case ompt_callback_implicit_task:
		return (ompt_callback_t)(void (*)(void))on_implicit_task;
	case ompt_callback_thread_end:
		return (ompt_callback_t)(void (*)(void))on_thread_end;
	case ompt_callback_task_create:
		return (ompt_callback_t)(void (*)(void))on_task_create;
	case ompt_callback_task_schedule:
		return (ompt_callback_t)(void (*)(void))on_task_schedule;
	case ompt_callback_work:
		return (ompt_callback_t)(void (*)(void))on_work;
	default:
		return NULL;
	}
}

/* From now on the wrappers are needed. */
static void
turn_on(void)
{
	static atomic_bool is_on;

	if (atomic_exchange(&is_on, true))
		return;
	for (int event = 1; event < EVENTS_N; event++)
		if (own_callback_for(event))
			runtime_set((ompt_callbacks_t)event, own_callback_for(event));
	wn_ompt_is_on = true;
}

/* no times for static loops; loops of gcc's programs and the begin of their creations are not
 * observed; a taskloop's creations are recognised by the runtime's events */
static ompt_set_result_t
set_own(int event, ompt_callback_t callback)
{
	ompt_set_result_t native = runtime_set((ompt_callbacks_t)event, callback);
	if (native != ompt_set_error && native != ompt_set_never)
		return native;
	atomic_store_explicit(&provide_callbacks[event], callback, memory_order_release);
	if (event != ext_tool_time)
		turn_on();
	return event == ext_tool_time ? ompt_set_always : ompt_set_sometimes;
}

static ompt_set_result_t
set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	int i = (int)event;

	if (i >= ext_callback_loop && i <= ompt_grain_callback_task_created)
		return set_own(i, callback);
	if (i <= 0 || i >= EVENTS_N || !own_callback_for(i))
		return runtime_set(event, callback);
	/* release: pairs with CALL_WANTED */
	atomic_store_explicit(&wanted[i], callback, memory_order_release);
	return runtime_set(event, wn_ompt_is_on ? own_callback_for(i) : callback);
}

static int
get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
	unsigned i = (unsigned)event;
	ompt_callback_t set = NULL;

	if (i < EVENTS_N && own_callback_for((int)i))
		set = atomic_load_explicit(&wanted[i], memory_order_acquire);
	else if (i >= EVENTS_N && i < PROVIDE_EVENTS_N)
		set = provide_callback((int)i);
	if (!set)
		return runtime_get(event, callback);
	*callback = set;
	return 1;
}

static ompt_interface_fn_t
lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	if (strcmp(name, "ompt_get_callback") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_callback;
	ompt_interface_fn_t own = provide_grain_lookup(name);
	return own ? own : runtime_lookup(name);
}

/* --- start --- */

static int
initialize(ompt_function_lookup_t lookup_of_runtime, int device, ompt_data_t *own)
{
	(void)own;
	runtime_lookup = lookup_of_runtime;
	runtime_set = (ompt_set_callback_t)lookup_of_runtime("ompt_set_callback");
	runtime_get = (ompt_get_callback_t)lookup_of_runtime("ompt_get_callback");
	runtime_task_info = (ompt_get_task_info_t)lookup_of_runtime("ompt_get_task_info");
	wn_ompt_own_range = ompt_range_of((const void *)(uintptr_t)&initialize);
	wn_ompt_runtime_range_add(ompt_range_of((const void *)(uintptr_t)lookup_of_runtime));
	if (!runtime_set || !tool->initialize)
		return 0;
	provide_thread_init();
	return tool->initialize(lookup, device, &tool->tool_data);
}

static void
finalize(ompt_data_t *own)
{
	(void)own;
	wn_ompt_is_on = false;
	for (unsigned i = 0; i < PROVIDE_EVENTS_N; i++)
		atomic_store_explicit(&provide_callbacks[i], NULL, memory_order_release);
	if (tool->finalize)
		tool->finalize(&tool->tool_data);
}

/* One runtime in a process is served: the first one to start. */
ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	static bool is_asking;

	if (is_asking || !provide_claim())
		return NULL;
	is_asking = true;
	tool = provide_find_tool(omp_version, runtime_version);
	is_asking = false;
	if (!tool)
		provide_unclaim();
	return tool ? &result : NULL;
}
