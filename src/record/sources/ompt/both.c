/* SPDX-License-Identifier: MIT */
/*
 * both.c - callbacks that serve both Winnow and the client.
 *
 * Each calls both tools, each with its own data words, as a runtime with two tools would. Begin
 * events go to Winnow first and end events to the client first, so that the client's time does not
 * count as the program's, as far as the order can prevent it.
 *
 * The client gets code addresses in the program: if a wrapper of ours made the call, the address
 * from which the wrapper was called.
 */
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/client.h"
#include "record/sources/ompt/grain.h"

__thread const void *wn_ompt_call_site __attribute__((tls_model("initial-exec")));

/* libomp's data word for the pseudo-task of a wait for dependences on this thread. Only the client
 * uses it: libomp aborts the program if the word is in use where the client left it 0. */
static __thread ompt_data_t *waiting __attribute__((tls_model("initial-exec")));

/* acquire: pairs with the release in set_callback() of client.c */
#define WANTED(event, type)                                                                        \
	((type)atomic_load_explicit(&client_callbacks[event], memory_order_acquire))

static WN_SLOW const void *
wrapped_caller(void)
{
	const struct wn_thread *t = wn_self;
	const void *site = NULL;

	if (!t)
		return NULL;
	if (t->source_flags & FLAG_IN_LOOP_CALL)
		site = wn_ompt_call_site;
	else if (t->source_ptr[PTR_SUBMIT_SITE] && !(t->source_flags & WN_TASK_SITE_FUNCTION))
		site = t->source_ptr[PTR_SUBMIT_SITE];
	else if (taskloop_of(t) && !(taskloop_of(t)->site_flags & WN_TASK_SITE_FUNCTION))
		site = taskloop_of(t)->site;
	return site;
}

/* NULL if unknown, as OMPT allows. */
static inline const void *
client_code(const void *codeptr)
{
	return range_has(&wn_ompt_own_range, codeptr) ? wrapped_caller() : codeptr;
}

static void
on_thread_end(ompt_data_t *thread)
{
	ompt_callback_thread_end_t call =
	    WANTED(ompt_callback_thread_end, ompt_callback_thread_end_t);

	if (call)
		call(thread);
	ompt_on_thread_end(thread);
	client_pairs_hand_back();
}

static void
on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *parallel,
                  unsigned int requested, int flags, const void *codeptr)
{
	ompt_callback_parallel_begin_t call =
	    WANTED(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t);
	struct client_pair *task = client_pair_of(encountering);
	struct client_pair *region = client_pair_begin(parallel);

	ompt_on_parallel_begin(own_word(task), frame, own_word(region), requested, flags, codeptr);
	if (call)
		call(client_word(task), frame, client_word(region), requested, flags,
		     client_code(codeptr));
}

static void
on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering, int flags, const void *codeptr)
{
	ompt_callback_parallel_end_t call =
	    WANTED(ompt_callback_parallel_end, ompt_callback_parallel_end_t);
	struct client_pair *task = client_pair_of(encountering);
	struct client_pair *region = client_pair_of(parallel);

	if (call)
		call(client_word(region), client_word(task), flags, client_code(codeptr));
	ompt_on_parallel_end(own_word(region), own_word(task), flags, codeptr);
	client_pair_end(parallel);
}

static void
on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                 unsigned int team_size, unsigned int index, int flags)
{
	ompt_callback_implicit_task_t call =
	    WANTED(ompt_callback_implicit_task, ompt_callback_implicit_task_t);
	struct client_pair *region = client_pair_of(parallel);
	struct client_pair *self =
	    endpoint == ompt_scope_begin ? client_pair_begin(task) : client_pair_of(task);

	if (call)
		call(endpoint, client_word(region), client_word(self), team_size, index, flags);
	ompt_on_implicit_task(endpoint, own_word(region), own_word(self), team_size, index, flags);
	if (endpoint != ompt_scope_end || !task)
		return;
	client_pair_end(task);
	task->ptr = NULL; /* as implicit_end() does in regions.c */
}

static void
on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task, int flags,
               int has_dependences, const void *codeptr)
{
	ompt_callback_task_create_t call =
	    WANTED(ompt_callback_task_create, ompt_callback_task_create_t);
	const void *code = client_code(codeptr); /* Winnow consumes the site */
	struct client_pair *parent = client_pair_of(encountering);
	ompt_data_t *own = task, *theirs = task;

	if (flags & (int)ompt_task_taskwait) {
		if (wn_ompt_in_wait && range_has(&wn_ompt_own_range, codeptr))
			code = wn_ompt_call_site;
		waiting = task;
	} else {
		struct client_pair *made = client_pair_begin(task);
		own = own_word(made);
		theirs = client_word(made);
	}
	if (!wn_ompt_grain.reports_creations) /* otherwise it is delivered once more (grain.c) */
		ompt_on_task_create(own_word(parent), frame, own, flags, has_dependences, codeptr);
	if (call)
		call(client_word(parent), frame, theirs, flags, has_dependences, code);
}

/* The event of a cancelled task may still be fulfilled, which is also reported as cancel: its pair
 * is not reused. */
static void
on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	ompt_callback_task_schedule_t call =
	    WANTED(ompt_callback_task_schedule, ompt_callback_task_schedule_t);
	bool is_over = status == ompt_task_complete || status == ompt_task_late_fulfill;

	if ((unsigned)status == WN_OMPT_STATUS_TASKWAIT_COMPLETE) {
		if (call)
			call(prior, status, next);
		ompt_on_task_schedule(prior, status, NULL);
		return;
	}
	struct client_pair *left = client_pair_of(prior);
	struct client_pair *entered = client_pair_of(next);
	if (is_over)
		ompt_on_task_schedule(own_word(left), status, own_word(entered));
	if (call)
		call(client_word(left), status, client_word(entered));
	if (!is_over)
		ompt_on_task_schedule(own_word(left), status, own_word(entered));
	else
		client_pair_end(prior);
}

static ompt_data_t *
client_task(ompt_data_t *task)
{
	return task == waiting ? task : client_word(client_pair_of(task));
}

static void
on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n)
{
	ompt_callback_dependences_t call =
	    WANTED(ompt_callback_dependences, ompt_callback_dependences_t);

	ompt_grain_on_dependences(task, list, n);
	if (call)
		call(client_task(task), list, n);
}

static void
on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	ompt_callback_task_dependence_t call =
	    WANTED(ompt_callback_task_dependence, ompt_callback_task_dependence_t);

	if (call)
		call(client_task(source), client_task(sink));
}

static void
on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
        uint64_t count, const void *codeptr)
{
	ompt_callback_work_t call = WANTED(ompt_callback_work, ompt_callback_work_t);
	const void *code = client_code(codeptr); /* Winnow consumes the site */
	struct client_pair *region = client_pair_of(parallel);
	struct client_pair *self = client_pair_of(task);

	if (endpoint == ompt_scope_begin)
		ompt_on_work(type, endpoint, own_word(region), own_word(self), count, codeptr);
	if (call)
		call(type, endpoint, client_word(region), client_word(self), count, code);
	if (endpoint != ompt_scope_begin)
		ompt_on_work(type, endpoint, own_word(region), own_word(self), count, codeptr);
}

static void
on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
	ompt_callback_dispatch_t call = WANTED(ompt_callback_dispatch, ompt_callback_dispatch_t);
	struct client_pair *region = client_pair_of(parallel);
	struct client_pair *self = client_pair_of(task);

	if (call)
		call(client_word(region), client_word(self), kind, instance);
	ompt_on_dispatch(own_word(region), own_word(self), kind, instance);
}

static void
on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
          const void *codeptr)
{
	ompt_callback_masked_t call = WANTED(ompt_callback_masked, ompt_callback_masked_t);
	struct client_pair *region = client_pair_of(parallel);
	struct client_pair *self = client_pair_of(task);

	if (endpoint == ompt_scope_begin)
		ompt_on_masked(endpoint, own_word(region), own_word(self), codeptr);
	if (call)
		call(endpoint, client_word(region), client_word(self), client_code(codeptr));
	if (endpoint != ompt_scope_begin)
		ompt_on_masked(endpoint, own_word(region), own_word(self), codeptr);
}

/* A callback of sync_region, its wait, or a reduction. */
static inline __attribute__((always_inline)) void
on_sync(ompt_callback_sync_region_t own, ompt_callback_sync_region_t call, ompt_sync_region_t kind,
        ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
        const void *codeptr)
{
	struct client_pair *region = client_pair_of(parallel);
	struct client_pair *self = client_pair_of(task);

	if (endpoint == ompt_scope_begin)
		own(kind, endpoint, own_word(region), own_word(self), codeptr);
	if (call)
		call(kind, endpoint, client_word(region), client_word(self), client_code(codeptr));
	if (endpoint != ompt_scope_begin)
		own(kind, endpoint, own_word(region), own_word(self), codeptr);
}

static void
on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
               ompt_data_t *task, const void *codeptr)
{
	on_sync(ompt_on_sync_region, WANTED(ompt_callback_sync_region, ompt_callback_sync_region_t),
	        kind, endpoint, parallel, task, codeptr);
}

static void
on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, const void *codeptr)
{
	on_sync(ompt_on_sync_region_wait,
	        WANTED(ompt_callback_sync_region_wait, ompt_callback_sync_region_t), kind, endpoint,
	        parallel, task, codeptr);
}

static void
on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
             ompt_data_t *task, const void *codeptr)
{
	on_sync(ompt_on_reduction, WANTED(ompt_callback_reduction, ompt_callback_sync_region_t),
	        kind, endpoint, parallel, task, codeptr);
}

static void
on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t mutex,
                 const void *codeptr)
{
	ompt_callback_mutex_acquire_t call =
	    WANTED(ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t);

	ompt_on_mutex_acquire(kind, hint, impl, mutex, codeptr);
	if (call)
		call(kind, hint, impl, mutex, client_code(codeptr));
}

static void
on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *codeptr)
{
	ompt_callback_mutex_t call = WANTED(ompt_callback_mutex_acquired, ompt_callback_mutex_t);

	if (call)
		call(kind, mutex, client_code(codeptr));
	ompt_on_mutex_acquired(kind, mutex, codeptr);
}

static void
on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *codeptr)
{
	ompt_callback_mutex_t call = WANTED(ompt_callback_mutex_released, ompt_callback_mutex_t);

	ompt_on_mutex_released(kind, mutex, codeptr);
	if (call)
		call(kind, mutex, client_code(codeptr));
}

static void
on_cancel(ompt_data_t *task, int flags, const void *codeptr)
{
	ompt_callback_cancel_t call = WANTED(ompt_callback_cancel, ompt_callback_cancel_t);
	struct client_pair *self = client_pair_of(task);

	ompt_on_cancel(own_word(self), flags, codeptr);
	if (call)
		call(client_word(self), flags, client_code(codeptr));
}

/* Commands of the program go to both tools; the client's result is returned, as without Winnow. */
static int
on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr)
{
	ompt_callback_control_tool_t call =
	    WANTED(ompt_callback_control_tool, ompt_callback_control_tool_t);
	int answer = ompt_on_control_tool(command, modifier, arg, codeptr);

	return call ? call(command, modifier, arg, client_code(codeptr)) : answer;
}

static void
on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
          ompt_id_t target, const void *codeptr)
{
	ompt_callback_target_t call = WANTED(ompt_callback_target, ompt_callback_target_t);

	if (call)
		call(kind, endpoint, device, client_task(task), target, client_code(codeptr));
}

/* The data word of a target task is not that of a task; Winnow does not use it. */
static void
on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
              ompt_data_t *target_task, ompt_data_t *target, const void *codeptr)
{
	ompt_callback_target_emi_t call =
	    WANTED(ompt_callback_target_emi, ompt_callback_target_emi_t);

	if (call)
		call(kind, endpoint, device, client_task(task), target_task, target,
		     client_code(codeptr));
}

ompt_callback_t
client_both(ompt_callbacks_t event)
{
#define BOTH(name)                                                                                 \
	case ompt_callback_##name:                                                                 \
		return (ompt_callback_t)(void (*)(void))on_##name
	switch ((unsigned)event) {
		BOTH(thread_end);
		BOTH(parallel_begin);
		BOTH(parallel_end);
		BOTH(implicit_task);
		BOTH(task_create);
		BOTH(task_schedule);
		BOTH(dependences);
		BOTH(task_dependence);
		BOTH(work);
		BOTH(dispatch);
		BOTH(masked);
		BOTH(sync_region);
		BOTH(sync_region_wait);
		BOTH(reduction);
		BOTH(mutex_acquire);
		BOTH(mutex_acquired);
		BOTH(mutex_released);
		BOTH(cancel);
		BOTH(control_tool);
		BOTH(target);
		BOTH(target_emi);
	default:
		return NULL;
	}
#undef BOTH
}
