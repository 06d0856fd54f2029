/* SPDX-License-Identifier: MIT */
/*
 * region.c - parallel regions, leagues, and their implicit tasks.
 *
 * A worker's end of the last barrier, and of its implicit task, are reported at the thread's next
 * event: it enters another region or ends (thread.c). By then the region is freed, so they have no
 * parallel data, as the standard allows. LLVM's runtime does the same.
 */
#include "ompt/events.h"

#include <stdlib.h>

/* omp_get_max_threads(), for regions without a number of threads */
static unsigned
usual_threads(void)
{
	static _Atomic(int (*)(void)) get_max_threads;
	int (*get)(void) = atomic_load_explicit(&get_max_threads, memory_order_relaxed);
	if (!get) {
		get = (int (*)(void))(uintptr_t)wn_resolve("omp_get_max_threads", NULL);
		atomic_store_explicit(&get_max_threads, get, memory_order_relaxed);
	}
	int n = get ? get() : 0;
	return n > 0 ? (unsigned)n : 0;
}

uint64_t
wn_ev_region_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t region_flags,
                   uint32_t requested)
{
	struct wn_region *r = t->n_lost ? NULL : calloc(1, sizeof *r);
	bool is_league = region_flags & WN_REGION_LEAGUE;
	(void)tick;
	if (!r) {
		t->n_lost++;
		return 0;
	}
	r->codeptr = t->codeptr; /* a tool gets the return address of the call */
	t->function = site == t->codeptr ? NULL : (const char *)site - 1;
	r->encountering = t->task;
	r->flags = (int)(is_league ? ompt_parallel_league : ompt_parallel_team) |
	           (int)ompt_parallel_invoker_runtime;
	r->outer = t->region;
	t->region = r;
	if (!requested && !is_league)
		requested = usual_threads();
	t->task->frame.enter_frame.ptr = t->frame;
	t->task->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
	CALL_TOOL(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t, &t->task->data,
	          &t->task->frame, &r->data, requested, r->flags, r->codeptr);
	return (uint64_t)(uintptr_t)r;
}

void
wn_ev_region_end(struct wn_thread *t, uint64_t tick)
{
	(void)tick;
	if (t->n_lost) {
		t->n_lost--;
		return;
	}
	struct wn_region *r = t->region;
	if (!r)
		return;
	t->region = r->outer;
	t->state = t->task->outer ? ompt_state_work_parallel : ompt_state_work_serial;
	t->task->frame.enter_frame.ptr = NULL;
	CALL_TOOL(ompt_callback_parallel_end, ompt_callback_parallel_end_t, &r->data,
	          &r->encountering->data, r->flags, r->codeptr);
	free(r);
}

void
provide_implicit_begin(struct wn_thread *t, uint64_t region, uint32_t team_size,
                       uint32_t thread_num, void *frame)
{
	struct wn_region *r = (struct wn_region *)(uintptr_t)region;
	struct wn_task *task = NULL;
	if (r && !t->n_lost) {
		bool is_league = r->flags & (int)ompt_parallel_league;
		task = provide_task_new(t, is_league ? ompt_task_initial : ompt_task_implicit, 1);
	}
	if (!task) {
		t->n_lost++;
		return;
	}
	r->team_size = team_size; /* each team thread writes the same value */
	task->region = r;
	task->thread_num = thread_num;
	task->outer = t->task;
	task->frame.exit_frame.ptr = frame;
	task->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
	t->task = task;
	t->state = ompt_state_work_parallel;
	CALL_TOOL(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_begin,
	          &r->data, &task->data, team_size, thread_num, task->flags);
}

void
wn_ev_implicit_end(struct wn_thread *t, uint64_t tick)
{
	struct wn_task *task = t->task;
	(void)tick;
	if (t->n_lost) {
		t->n_lost--;
		return;
	}
	t->task = task->outer;
	if (!t->task)
		t->state = ompt_state_idle;
	CALL_TOOL(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_end, NULL,
	          &task->data, 0, task->thread_num, task->flags);
	provide_task_drop(t, task);
}
