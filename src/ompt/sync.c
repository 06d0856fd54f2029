/* SPDX-License-Identifier: MIT */
/* sync.c - waits, mutexes, cancellation. A task is in at most one wait, so its wait is stored in
 * the task: other tasks may run on its thread meanwhile, and wait too. */
#include "ompt/events.h"

/* GCC before 17 uses one entry point for explicit barriers and for those that end static loops and
 * single; LLVM's runtime, which has it too, reports it as an implementation barrier. */
static int
sync_kind(enum wn_sync_kind kind)
{
	static const int kinds[WN_SYNC_KIND_N + 2] = {
	    [WN_SYNC_BARRIER_DIRECTIVE] = ompt_sync_region_barrier_explicit,
	    [WN_SYNC_BARRIER_START] = ompt_sync_region_barrier_implementation,
	    [WN_SYNC_TASKWAIT] = ompt_sync_region_taskwait,
	    [WN_SYNC_TASKGROUP] = ompt_sync_region_taskgroup,
	    [WN_SYNC_BARRIER_EXPLICIT] = ompt_sync_region_barrier_implementation,
	    [WN_SYNC_BARRIER_IMPLICIT] = ompt_sync_region_barrier_implicit_workshare,
	    [WN_SYNC_BARRIER_REGION] = ompt_sync_region_barrier_implicit_parallel,
	    [WN_SYNC_BARRIER_TEAMS] = ompt_sync_region_barrier_teams,
	    [WN_SYNC_REDUCTION] = ompt_sync_region_reduction,
	    [WN_SYNC_TASKYIELD] = PROVIDE_IN_YIELD,
	    [WN_SYNC_DEPEND] = ompt_sync_region_taskwait,
	};
	return kinds[kind];
}

static int
state_in(int sync)
{
	switch (sync) {
	case ompt_sync_region_taskwait:
		return ompt_state_wait_taskwait;
	case ompt_sync_region_taskgroup:
		return ompt_state_wait_taskgroup;
	case ompt_sync_region_barrier_explicit:
		return ompt_state_wait_barrier_explicit;
	case ompt_sync_region_barrier_implicit_parallel:
		return ompt_state_wait_barrier_implicit_parallel;
	case ompt_sync_region_barrier_implicit_workshare:
		return ompt_state_wait_barrier_implicit_workshare;
	case ompt_sync_region_barrier_teams:
		return ompt_state_wait_barrier_teams;
	case PROVIDE_IN_YIELD:
		return ompt_state_work_parallel;
	default:
		return ompt_state_wait_barrier_implementation;
	}
}

static void
report(struct wn_thread *t, int event, int kind, ompt_scope_endpoint_t endpoint,
       const void *codeptr)
{
	CALL_TOOL(event, ompt_callback_sync_region_t, (ompt_sync_region_t)kind, endpoint,
	          provide_region_data(t->task), &t->task->data, codeptr);
}

void
wn_ev_sync_begin(struct wn_thread *t, uint64_t tick, const void *site, enum wn_sync_kind kind)
{
	struct wn_task *task = t->task;
	int sync = sync_kind(kind);
	(void)tick;
	if (t->n_lost || !task)
		return;
	if (kind == WN_SYNC_BARRIER_REGION) /* the site is the outlined function */
		site = task->region ? task->region->codeptr : NULL;
	task->sync = sync;
	task->sync_codeptr = site;
	task->outer_state = t->state;
	task->waitpoint = kind == WN_SYNC_DEPEND ? t->created : NULL;
	t->state = state_in(sync);
	if (!task->frame.enter_frame.ptr) {
		task->frame.enter_frame.ptr = t->frame;
		task->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
	}
	if (sync == PROVIDE_IN_YIELD)
		return;
	if (sync != ompt_sync_region_taskgroup && !task->waitpoint)
		report(t, ompt_callback_sync_region, sync, ompt_scope_begin, site);
	if (!task->waitpoint)
		report(t, ompt_callback_sync_region_wait, sync, ompt_scope_begin, site);
}

static void
end_waitpoint(struct wn_thread *t, struct wn_task *waitpoint)
{
	CALL_TOOL(ompt_callback_task_schedule, ompt_callback_task_schedule_t, &waitpoint->data,
	          ompt_taskwait_complete, NULL);
	provide_task_drop(t, waitpoint);
	provide_task_drop(t, waitpoint);
}

void
wn_ev_sync_end(struct wn_thread *t, uint64_t tick)
{
	struct wn_task *task = t->task;
	(void)tick;
	if (t->n_lost || !task || !task->sync)
		return;
	int sync = task->sync;
	struct wn_task *waitpoint = task->waitpoint;
	task->sync = 0;
	task->waitpoint = NULL;
	task->frame.enter_frame.ptr = NULL;
	t->state = task->outer_state;
	t->codeptr = task->sync_codeptr;
	if (waitpoint) {
		end_waitpoint(t, waitpoint);
	} else if (sync != PROVIDE_IN_YIELD) {
		report(t, ompt_callback_sync_region_wait, sync, ompt_scope_end, task->sync_codeptr);
		report(t, ompt_callback_sync_region, sync, ompt_scope_end, task->sync_codeptr);
	}
}

void
wn_ev_group_begin(struct wn_thread *t, uint64_t tick, const void *site)
{
	(void)tick;
	if (!t->n_lost)
		report(t, ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_begin,
		       site);
}

/* --- mutexes ---
 *
 * OMPT has no doacross wait. A repeated acquisition of a nested lock by its owner is not
 * reported. */

static int
mutex_kind(enum wn_mutex_kind kind)
{
	static const int kinds[WN_MUTEX_KIND_N] = {
	    [WN_MUTEX_CRITICAL] = ompt_mutex_critical,   [WN_MUTEX_ATOMIC] = ompt_mutex_atomic,
	    [WN_MUTEX_ORDERED] = ompt_mutex_ordered,     [WN_MUTEX_LOCK] = ompt_mutex_lock,
	    [WN_MUTEX_NEST_LOCK] = ompt_mutex_nest_lock,
	};
	return kinds[kind];
}

static int
state_for(int kind)
{
	switch (kind) {
	case ompt_mutex_critical:
		return ompt_state_wait_critical;
	case ompt_mutex_atomic:
		return ompt_state_wait_atomic;
	case ompt_mutex_ordered:
		return ompt_state_wait_ordered;
	default:
		return ompt_state_wait_lock;
	}
}

void
wn_ev_mutex_wait(struct wn_thread *t, uint64_t tick, const void *site, enum wn_mutex_kind kind,
                 uint64_t mutex)
{
	(void)tick;
	t->mutex.kind = mutex_kind(kind);
	if (!t->mutex.kind)
		return;
	t->mutex.id = mutex;
	t->mutex.codeptr = site;
	t->wait_id = mutex;
	t->mutex.outer_state = t->state;
	t->state = state_for(t->mutex.kind);
	CALL_TOOL(ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t,
	          (ompt_mutex_t)t->mutex.kind, 0, kmp_mutex_impl_none, mutex, site);
}

void
wn_ev_mutex_acquired(struct wn_thread *t, uint64_t tick)
{
	(void)tick;
	if (!t->mutex.kind)
		return;
	t->state = t->mutex.outer_state;
	t->wait_id = 0;
	CALL_TOOL(ompt_callback_mutex_acquired, ompt_callback_mutex_t, (ompt_mutex_t)t->mutex.kind,
	          t->mutex.id, t->mutex.codeptr);
}

void
wn_ev_mutex_released(struct wn_thread *t, uint64_t tick, const void *site, enum wn_mutex_kind kind,
                     uint64_t mutex)
{
	(void)t;
	(void)tick;
	CALL_TOOL(ompt_callback_mutex_released, ompt_callback_mutex_t,
	          (ompt_mutex_t)mutex_kind(kind), mutex, site);
}

/* --- cancellation: libgomp numbers loop and sections in reverse order --- */

void
wn_ev_cancel(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags)
{
	static const struct {
		uint32_t own;
		int ompt;
	} map[] = {
	    {WN_CANCEL_PARALLEL, ompt_cancel_parallel},
	    {WN_CANCEL_LOOP, ompt_cancel_loop},
	    {WN_CANCEL_SECTIONS, ompt_cancel_sections},
	    {WN_CANCEL_TASKGROUP, ompt_cancel_taskgroup},
	    {WN_CANCEL_ACTIVATED, ompt_cancel_activated},
	    {WN_CANCEL_DETECTED, ompt_cancel_detected},
	    {WN_CANCEL_DISCARDED, ompt_cancel_discarded_task},
	};
	int result = 0;
	(void)tick;
	if (t->n_lost)
		return;
	for (unsigned i = 0; i < sizeof map / sizeof map[0]; i++)
		result |= flags & map[i].own ? map[i].ompt : 0;
	CALL_TOOL(ompt_callback_cancel, ompt_callback_cancel_t, &t->task->data, result, site);
}
