/* SPDX-License-Identifier: MIT */
/*
 * task.c - explicit tasks: creation, dependences, scheduling.
 *
 * A task is reported as created before libgomp's call, because it may run, and end, before that
 * call returns. So its creation has a separate timing event, at the return, which excludes tasks
 * that this thread ran meanwhile.
 */
#include "ompt/events.h"

#include <stdlib.h>

enum { HAS_ENDED = 1, IS_FULFILLED = 2 };

static int
flags_of(uint32_t flags)
{
	/* the largest is the sign bit of an int, so newer headers count them as unsigned */
	unsigned result = flags & WN_TASK_TARGET ? ompt_task_target : ompt_task_explicit;
	if (flags & WN_TASK_WAITPOINT)
		result = ompt_task_taskwait | ompt_task_mergeable;
	if (flags & WN_TASK_UNDEFERRED)
		result |= ompt_task_undeferred;
	if (flags & WN_TASK_UNTIED)
		result |= ompt_task_untied;
	if (flags & WN_TASK_FINAL)
		result |= ompt_task_final;
	if (flags & WN_TASK_MERGEABLE)
		result |= ompt_task_mergeable;
	return (int)result;
}

/* Flags that the standard lacks. */
static int
more_flags(uint32_t flags)
{
	const uint32_t waited = WN_TASK_DEPENDENT | WN_TASK_UNDEFERRED;
	bool has_waited = (flags & waited) == waited && !(flags & WN_TASK_WAITPOINT);
	return (flags & WN_TASK_DETACH ? OMPT_GRAIN_TASK_DETACHABLE : 0) |
	       (has_waited ? OMPT_GRAIN_TASK_DEPENDENT : 0);
}

static struct wn_task *
create(struct wn_thread *t, uint32_t flags, struct wn_task *creator)
{
	/* dependences of a task that waited for them were reported with the wait */
	bool has_waited = (flags & WN_TASK_UNDEFERRED) && !(flags & WN_TASK_WAITPOINT);
	bool has_dependences = (flags & WN_TASK_DEPENDENT) && !has_waited;
	bool is_detachable = flags & WN_TASK_DETACH;
	struct wn_task *task =
	    t->n_lost ? NULL : provide_task_new(t, flags_of(flags), is_detachable ? 3 : 2);
	t->created = task;
	if (!task)
		return NULL;
	task->detach = is_detachable ? 0 : IS_FULFILLED;
	task->region = creator->region;
	task->creator = creator;
	task->creator_word = creator->word;
	task->codeptr = t->codeptr;
	task->outer_creation = t->creating;
	t->creating = task;
	t->n_timed++;
	creator->frame.enter_frame.ptr = t->frame;
	creator->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
	CALL_TOOL(ompt_callback_task_create, ompt_callback_task_create_t, &creator->data,
	          &creator->frame, &task->data, task->flags, has_dependences, task->codeptr);
	CALL_TOOL(ompt_grain_callback_task_create, ompt_grain_callback_task_create_t,
	          &creator->data, &creator->frame, &task->data, task->flags | more_flags(flags),
	          has_dependences, 0, task->codeptr);
	task->first_data = task->data;
	task->ran_before = t->ran;
	task->creation_begin = provide_time(ompt_grain_callback_task_created, 0);
	return task;
}

wn_id
wn_ev_task_create(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags)
{
	(void)tick;
	t->function = flags & WN_TASK_SITE_FUNCTION ? site : NULL; /* otherwise that of the call */
	return (uint64_t)(uintptr_t)create(t, flags, t->task);
}

wn_id
wn_ev_task_create_by(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
                     wn_id parent)
{
	struct wn_task *creator = (struct wn_task *)(uintptr_t)parent;
	(void)tick;
	t->function = flags & WN_TASK_SITE_FUNCTION ? site : NULL;
	return (uint64_t)(uintptr_t)create(t, flags, creator ? creator : t->task);
}

void
provide_created(struct wn_thread *t, struct wn_task *task, double duration)
{
	CALL_TOOL(ompt_grain_callback_task_created, ompt_grain_callback_task_created_t,
	          task->creator_word, task->first_data, duration, task->codeptr);
	provide_task_drop(t, task);
}

void
wn_ev_create_end(struct wn_thread *t, uint64_t tick)
{
	struct wn_task *task = t->creating;
	(void)tick;
	if (t->n_lost || !task)
		return;
	if (!task->creator) {
		provide_native_created(t);
		return;
	}
	t->creating = task->outer_creation;
	t->n_timed--;
	task->creator->frame.enter_frame.ptr = NULL;
	if (task->flags & (int)ompt_task_taskwait) {
		if (!(task->flags & (int)ompt_task_undeferred)) {
			/* the end of its wait is not observed */
			provide_task_drop(t, task);
			provide_task_drop(t, task);
		}
		return;
	}
	/* with all other tasks of its taskloop, which libgomp creates from now on */
	if (task->block) {
		task->creator->taskloop.begin = provide_time(ompt_grain_callback_task_created, 0);
		return;
	}
	double now = provide_time(ompt_grain_callback_task_created, 0);
	provide_created(t, task, now - task->creation_begin - (t->ran - task->ran_before));
}

void
wn_ev_depend(struct wn_thread *t, enum wn_depend_kind kind, const void *address)
{
	static const ompt_dependence_type_t types[] = {
	    [WN_DEPEND_IN] = ompt_dependence_type_in,
	    [WN_DEPEND_OUT] = ompt_dependence_type_out,
	    [WN_DEPEND_INOUT] = ompt_dependence_type_inout,
	    [WN_DEPEND_MUTEXINOUTSET] = ompt_dependence_type_mutexinoutset,
	    [WN_DEPEND_INOUTSET] = ompt_dependence_type_inoutset,
	    [WN_DEPEND_ALL_MEMORY] = ompt_dependence_type_inout, /* of address NULL */
	};
	if (!provide_callback(ompt_callback_dependences))
		return;
	if (t->n_depends == t->depends_room) {
		int room = t->depends_room ? 2 * t->depends_room : 16;
		ompt_dependence_t *more = realloc(t->depends, (size_t)room * sizeof *more);
		if (!more)
			return;
		t->depends = more;
		t->depends_room = room;
	}
	ompt_dependence_t *d = &t->depends[t->n_depends++];
	d->variable.value = (uint64_t)(uintptr_t)address;
	d->dependence_type = types[kind];
}

void
wn_ev_depends_end(struct wn_thread *t)
{
	if (t->created && t->n_depends)
		CALL_TOOL(ompt_callback_dependences, ompt_callback_dependences_t, &t->created->data,
		          t->depends, t->n_depends);
	t->n_depends = 0;
}

void
provide_task_begin(struct wn_thread *t, wn_id id, void *frame)
{
	struct wn_task *task = (struct wn_task *)(uintptr_t)id, *prior = t->task;
	if (!task || t->n_lost) {
		t->n_lost++;
		return;
	}
	bool is_yield = prior && prior->sync == PROVIDE_IN_YIELD;
	task->outer = prior;
	task->frame.exit_frame.ptr = frame;
	task->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
	task->outer_state = t->state;
	t->task = task;
	t->state = ompt_state_work_parallel;
	task->run_begin = t->n_timed ? provide_time(ompt_grain_callback_task_created, 0) : 0;
	task->ran_outside = t->ran;
	CALL_TOOL(ompt_callback_task_schedule, ompt_callback_task_schedule_t,
	          prior ? &prior->data : NULL, is_yield ? ompt_task_yield : ompt_task_switch,
	          &task->data);
}

void
wn_ev_task_end(struct wn_thread *t, uint64_t tick)
{
	struct wn_task *task = t->task;
	(void)tick;
	if (t->n_lost) {
		t->n_lost--;
		return;
	}
	/* relaxed: only a detachable task's event can change it */
	unsigned before = atomic_load_explicit(&task->detach, memory_order_relaxed);
	if (!(before & IS_FULFILLED))
		before = atomic_fetch_or_explicit(&task->detach, HAS_ENDED, memory_order_acq_rel);
	bool is_complete = before & IS_FULFILLED;
	t->task = task->outer;
	t->state = task->outer_state;
	CALL_TOOL(ompt_callback_task_schedule, ompt_callback_task_schedule_t, &task->data,
	          is_complete ? ompt_task_complete : ompt_task_detach,
	          t->task ? &t->task->data : NULL);
	if (t->n_timed) {
		double now = provide_time(ompt_grain_callback_task_created, 0);
		/* time of nested tasks is part of its own time, once */
		t->ran = task->ran_outside + (now - task->run_begin);
	}
	provide_task_drop(t, task);
}

void
wn_ev_task_fulfill(struct wn_thread *t, uint64_t tick, wn_id id)
{
	struct wn_task *task = (struct wn_task *)(uintptr_t)id;
	(void)tick;
	unsigned before =
	    atomic_fetch_or_explicit(&task->detach, IS_FULFILLED, memory_order_acq_rel);
	CALL_TOOL(ompt_callback_task_schedule, ompt_callback_task_schedule_t, &task->data,
	          before & HAS_ENDED ? ompt_task_late_fulfill : ompt_task_early_fulfill, NULL);
	provide_task_drop(t, task);
}

/* --- taskloops: all tasks are reported as created, then libgomp creates them in one call --- */

void
wn_ev_taskloop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
                     uint64_t trip_count, uint64_t n_tasks)
{
	(void)tick;
	t->function = flags & WN_TASK_SITE_FUNCTION ? site : NULL;
	if (t->n_lost || !provide_block_new(t, n_tasks)) {
		t->n_lost++;
		return;
	}
	struct wn_task *task = t->task;
	task->taskloop.count = trip_count;
	task->taskloop.codeptr = t->codeptr;
	task->taskloop.n_tasks = n_tasks;
	task->taskloop.first = provide_block_first(t);
	t->n_timed++;
	CALL_TOOL(ompt_callback_work, ompt_callback_work_t, (ompt_work_t)WN_OMPT_WORK_TASKLOOP,
	          ompt_scope_begin, provide_region_data(task), &task->data, trip_count, t->codeptr);
	task->taskloop.ran_before = t->ran;
}

/* Each task gets an equal part of the call's time. */
void
wn_ev_taskloop_end(struct wn_thread *t, uint64_t tick)
{
	struct wn_task *task = t->task;
	(void)tick;
	if (t->n_lost) {
		t->n_lost--;
		return;
	}
	double now = provide_time(ompt_grain_callback_task_created, 0);
	double all = now - task->taskloop.begin - (t->ran - task->taskloop.ran_before);
	uint64_t n = task->taskloop.n_tasks;
	t->n_timed--;
	for (uint64_t i = 0; i < n; i++)
		provide_created(t, &task->taskloop.first[i], all / (double)n);
	CALL_TOOL(ompt_callback_work, ompt_callback_work_t, (ompt_work_t)WN_OMPT_WORK_TASKLOOP,
	          ompt_scope_end, provide_region_data(task), &task->data, task->taskloop.count,
	          task->taskloop.codeptr);
}

void
wn_ev_task_range(struct wn_thread *t, int64_t first, uint64_t iterations)
{
	struct wn_ompt_chunk chunk = {(uint64_t)first, iterations};
	if (t->n_lost)
		return;
	CALL_TOOL(ompt_callback_dispatch, ompt_callback_dispatch_t, provide_region_data(t->task),
	          &t->task->data, (ompt_dispatch_t)WN_OMPT_DISPATCH_TASKLOOP_CHUNK,
	          (ompt_data_t){.ptr = &chunk});
}
