/* SPDX-License-Identifier: MIT */
/*
 * tasks.c - explicit tasks: created, started, suspended, ended.
 *
 * A task's data word contains its id from creation on; 0 is a thread's context outside all regions.
 * The thread's stack follows the switches: below the running task is the one that it was started
 * from.
 *
 * libomp runs an untied task in parts, each of which queues the next one as its last action and
 * then reports a switch. Each part holds a reference, and the thread that releases the last one
 * reports the end, which may not be the thread that ran the last part. That thread receives no
 * event; its stack is corrected at its next event (source_return_to()).
 */
#include "record/control/control.h"
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/grain.h"

/* OMPT's undeferred, untied, final and mergeable are four adjacent bits, in Winnow's order. */
static_assert(ompt_task_undeferred >> 27 == WN_TASK_UNDEFERRED &&
                  ompt_task_untied >> 27 == WN_TASK_UNTIED &&
                  ompt_task_final >> 27 == WN_TASK_FINAL &&
                  ompt_task_mergeable >> 27 == WN_TASK_MERGEABLE,
              "task flags");
static_assert(ompt_task_taskwait << 2 == WN_TASK_WAITPOINT &&
                  ompt_task_target << 4 == WN_TASK_TARGET,
              "task kinds");

/* Noted once on each thread: creations in this program have a beginning and no end. */
void
ompt_note_creation(struct wn_thread *t, const void *site)
{
	if (t->source_flags & FLAG_NOTED_CREATION)
		return;
	t->source_flags |= FLAG_NOTED_CREATION;
	wn_ev_note(t, site, WN_NOTE_CREATION_UNKNOWN, 1);
}

/* A value that a newer OMPT defines. What it means is not known, so what lasts until the event's
 * counterpart stays that of the task: a wait would count as work. */
WN_SLOW void
ompt_note_unknown(struct wn_thread *t, const void *codeptr)
{
	wn_ev_note(t, user_code_or_null(codeptr), WN_NOTE_UNKNOWN_EVENT, 1);
}

/* Noted once on each thread: no wrapper reads this program's depend clauses, and libomp's
 * dependences callback is not registered (tool.c). */
void
ompt_note_depend(struct wn_thread *t, const void *site)
{
	if (t->source_flags & FLAG_NOTED_DEPEND)
		return;
	t->source_flags |= FLAG_NOTED_DEPEND;
	wn_ev_note(t, site, WN_NOTE_DEPENDENCES_IGNORED, 1);
}

/* A task that no wrapper submits and that is not a taskloop's: made by the runtime, or by a program
 * whose entry points cannot be wrapped. Its creation has no duration, unless commands of the
 * program report its begin and end, which then apply to the last task created meanwhile. */
static wn_id
create_unseen(struct wn_thread *t, const void *codeptr, uint32_t flags)
{
	uint64_t command_tick = wn_command_creation_tick(t, wn_stack_peek(t, 0));
	uint64_t tick = command_tick ? command_tick : wn_clock();
	const void *site = user_code_or_null(codeptr);

	if (!site)
		flags |= WN_TASK_FOREIGN_SITE;
	creation_close(t, t->w.last_tick);
	wn_id id = wn_ev_task_create(t, tick, site, flags);
	if (command_tick) {
		t->source_flags |= FLAG_CREATION_OPEN;
		t->commands.owes_creation_end = true;
	} else {
		ompt_note_creation(t, site);
	}
	if (flags & WN_TASK_DEPENDENT)
		ompt_note_depend(t, site);
	return id;
}

/* A pseudo-task, created and never run, represents a wait for dependences. If a wrapper observed
 * the wait, it is already recorded. The pseudo-task's data word stays 0: libomp aborts the program
 * if a second wait on the same thread, in a task that runs meanwhile, finds it in use. A deferred
 * one does not wait here: tasks wait for it. */
WN_SLOW void
ompt_waitpoint_begin(struct wn_thread *t, uint32_t flags, const void *codeptr)
{
	if (wn_ompt_in_wait || (t->source_flags & FLAG_MUTED))
		return;
	const void *site = user_code_or_null(codeptr);
	uint64_t tick = wn_clock();
	if (!wn_ompt_grain.is_libgomp)
		ompt_note_depend(t, site);
	flags &= WN_TASK_UNDEFERRED;
	wn_ev_waitpoint_create(t, tick, site, WN_TASK_WAITPOINT | WN_TASK_DEPENDENT | flags);
	wn_ev_create_end(t, tick);
	if (flags)
		wn_ev_sync_begin(t, tick, site, WN_SYNC_DEPEND);
}

/* Taskloops create inside the runtime, one task after the other: each creation lasts from the
 * thread's last event (the one before it, the loop's begin, the helper's start) until now. Helper
 * tasks, which split large taskloops, create on behalf of the task that met the loop. */
static WN_SLOW wn_id
create_in_runtime(struct wn_thread *t, const ompt_data_t *encountering, const void *codeptr,
                  uint32_t flags)
{
	struct source_taskloop *loop = taskloop_of(t);
	wn_id parent = encountering ? encountering->value : 0;
	wn_id id;

	if (parent != wn_stack_peek(t, 0) && t->depth > 0 && wn_stack_is_known(t)) {
		flags |= WN_TASK_TASKLOOP | WN_TASK_FOREIGN_SITE;
		parent = parent ? parent : (wn_id)t->index << 32;
		uint64_t tick = wn_ompt_taskloop_wrapped ? t->w.last_tick : wn_clock();
		id = wn_ev_task_create_by(t, tick, NULL, flags, parent);
		if (!wn_ompt_taskloop_wrapped) {
			ompt_note_creation(t, NULL);
			return id;
		}
	} else if (loop && loop->phase != TASKLOOP_DONE && loop->depth == wn_stack_depth(t)) {
		if (loop->phase == TASKLOOP_PENDING)
			source_taskloop_open(t, wn_clock());
		flags |= WN_TASK_TASKLOOP | loop->site_flags;
		id = wn_ev_task_create(t, t->w.last_tick, loop->site, flags);
	} else {
		return create_unseen(t, codeptr, flags);
	}
	wn_ev_create_end(t, wn_clock());
	return id;
}

static WN_SLOW void
create_slowly(ompt_data_t *encountering, ompt_data_t *task, uint32_t flags, const void *codeptr)
{
	struct wn_thread *t = wn_self;

	if (!t)
		return;
	if (flags & WN_TASK_WAITPOINT) {
		ompt_waitpoint_begin(t, flags, codeptr);
		return;
	}
	const void *site = t->source_ptr[PTR_SUBMIT_SITE];
	if (!site) {
		task->value = create_in_runtime(t, encountering, codeptr, flags);
		return;
	}
	uint64_t tick = t->source_tick;
	/* The function stays the site where libomp's GOMP layer submits the task: OMPT has the code
	 * address of the call there, to which gcc gives the line of the statement before. */
	flags |= t->source_flags & FLAG_SITE_MASK;
	t->source_ptr[PTR_SUBMIT_SITE] = NULL;
	t->source_tick = 0;
	t->source_flags |= FLAG_CREATION_OPEN;
	task->value = wn_ev_task_create(t, tick ? tick : wn_clock(), site, flags);
	if (t->submitted.n[0] > 0 || t->submitted.n[1] > 0) {
		source_depends_write(t, &t->submitted);
		t->submitted.n[0] = t->submitted.n[1] = 0;
	}
}

/* Usual case: the wrapper has all data, and the site is known. */
void
ompt_on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
                    int ompt_flags, int has_dependences, const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)frame;

	uint32_t flags = ompt_task_flags(ompt_flags, has_dependences);
	if (WN_LIKELY(t && wn_quick(t))) {
		const void *site = t->source_ptr[PTR_SUBMIT_SITE];
		uint64_t tick = t->source_tick;
		unsigned place = wn_quick_site(t, site, flags);
		if (WN_LIKELY(site && tick && !(t->source_flags & FLAG_SITE_MASK) &&
		              !has_dependences && place != WN_SITE_TABLE_N)) {
			t->source_ptr[PTR_SUBMIT_SITE] = NULL;
			t->source_tick = 0;
			t->source_flags |= FLAG_CREATION_OPEN;
			wn_quick_at(t, WN_EV_TASK_CREATE, tick, place);
			task->value = wn_new_id(t);
			return;
		}
	}
	create_slowly(encountering, task, flags, codeptr);
}

static inline bool
has_ended(ompt_task_status_t status)
{
	return status == ompt_task_complete || status == ompt_task_cancel ||
	       status == ompt_task_detach || status == ompt_task_late_fulfill;
}

/* The task on top is unknown; or the runtime resumes an untied task that it reported as suspended
 * (prior and next are equal); or it left a task that is not on the stack. */
static WN_SLOW void
switch_oddly(struct wn_thread *t, uint64_t tick, wn_id prior, bool is_ended, wn_id next)
{
	bool is_deep = !wn_stack_is_known(t);

	if (is_deep && prior == next)
		return;
	if (is_deep && is_ended)
		wn_ev_task_end(t, tick);
	else if (is_deep || prior == next)
		wn_ev_task_begin(t, tick, next);
	else
		wn_ev_task_switch(t, tick, is_ended, next);
}

/* No next task: a wait for dependences is over, or the event of a detached task was fulfilled, by
 * any thread, before or after the task's code has ended. libomp reports `cancel` for it if the
 * task's group is cancelled. */
static WN_SLOW void
wait_or_event_over(const ompt_data_t *prior, ompt_task_status_t status)
{
	struct wn_thread *t;

	if ((unsigned)status == WN_OMPT_STATUS_TASKWAIT_COMPLETE) {
		if ((t = wn_self) && !wn_ompt_in_wait && !(t->source_flags & FLAG_MUTED))
			wn_ev_sync_end(t, wn_clock());
	} else if (!prior || !prior->value || !(t = wn_thread_self())) {
		return;
	} else if ((unsigned)status > WN_OMPT_STATUS_TASKWAIT_COMPLETE) {
		ompt_note_unknown(t, NULL);
	} else {
		wn_ev_task_fulfill(t, wn_clock(), prior->value & ~TASK_DISCARDED);
	}
}

WN_SLOW void
source_return_to(struct wn_thread *t, wn_id id)
{
	uint32_t place = wn_stack_find(t, id);

	if (place > 0)
		wn_ev_task_return(t, wn_clock(), place);
}

/* An untied task whose last part ran on another thread; or a discarded task, which has an event. */
static WN_SLOW void
end_elsewhere(struct wn_thread *t, wn_id id)
{
	if (!id || (id & TASK_DISCARDED))
		return;
	uint64_t tick = wn_clock();
	creation_close(t, tick);
	wn_ev_task_begin(t, tick, id);
	wn_ev_task_end(t, tick);
}

/* A switch from a task that is not on top, or to the one that is. True if nothing remains to be
 * done. */
static WN_SLOW bool
settle_switch(struct wn_thread *t, wn_id prior, bool is_ended, wn_id next)
{
	/* a suspended task is not on the stack, so the search is skipped */
	if (prior != next)
		source_settle(t, prior);
	if (!is_ended || prior == wn_stack_peek(t, 0))
		return next == wn_stack_peek(t, 0);
	source_settle(t, next);
	if (next != wn_stack_peek(t, 0))
		return false;
	end_elsewhere(t, prior);
	return true;
}

static WN_SLOW void
schedule_slowly(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct wn_thread *t = wn_self;

	if (!next) {
		wait_or_event_over(prior, status);
		return;
	}
	/* a free-agent thread runs tasks of teams in which it has no implicit task */
	if (!t && (!next->value || (next->value & TASK_DISCARDED) || !(t = wn_thread_self())))
		return;
	wn_id next_id = next->value, prior_id = prior ? prior->value : wn_stack_peek(t, 0);
	bool is_ended = has_ended(status);
	if (wn_stack_is_known(t) && settle_switch(t, prior_id, is_ended, next_id))
		return;
	uint64_t tick = wn_clock();
	creation_close(t, tick);
	if (WN_UNLIKELY(!wn_stack_is_known(t) || prior_id != wn_stack_peek(t, 0)))
		switch_oddly(t, tick, prior_id, is_ended, next_id);
	else if (next_id != wn_stack_beneath(t))
		is_ended ? wn_ev_task_switch(t, tick, true, next_id)
			 : wn_ev_task_begin(t, tick, next_id);
	else if (is_ended)
		wn_ev_task_end(t, tick);
	else
		wn_ev_task_suspend(t, tick);
}

/* Usual case: a task ends and resumes the one it was started from, or starts above the one on
 * top. */
void
ompt_on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct wn_thread *t = wn_self;

	if (WN_LIKELY(t && prior && next && t->depth - 1 < WN_STACK_MAX - 1 && wn_quick(t)) &&
	    WN_LIKELY(prior->value == t->stack[t->depth])) {
		wn_id id = next->value;
		wn_id below = t->stack[t->depth - 1];
		bool ends_creation = t->source_flags & FLAG_CREATION_OPEN;
		if (status == ompt_task_complete && id == below && !ends_creation) {
			wn_quick_plain(t, WN_EV_TASK_END, wn_quick_clock());
			t->depth--;
			return;
		}
		if (status == ompt_task_switch && id != below && id != prior->value) {
			t->source_flags &= ~(uint32_t)FLAG_CREATION_OPEN;
			wn_quick_task_begin(t, wn_quick_clock(), id, ends_creation);
			return;
		}
	}
	schedule_slowly(prior, status, next);
}
