/* SPDX-License-Identifier: MIT */
/* task.c - explicit tasks. A task's handle is its id, assigned by its parent. A task of an
 * unrecorded region has the handle 0. */
#include "pomp2.h"

/* May this thread take the fast path of emit_quick.h? */
static inline bool
is_quick(const struct wn_thread *t)
{
	return __builtin_expect(t != NULL && POMP2_MUTED(t) == 0, 1) && wn_quick(t);
}

/* Out of line, so that the usual path saves no registers. */
static __attribute__((noinline)) void
create_slowly(POMP2_Region_handle *handle, POMP2_Task_handle *new_task, POMP2_Task_handle *old_task,
              uint32_t flags, const char *text, const void *site)
{
	uint64_t tick = wn_clock();
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	*new_task = *old_task = 0;
	if (!r)
		return;
	flags |= r->task_flags;
	*old_task = (POMP2_Task_handle)wn_stack_peek(t, 0);
	pomp2_place(t, r, site, flags);
	*new_task = (POMP2_Task_handle)wn_ev_task_create(t, tick, site, flags);
}

void
pomp2_at_create(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                POMP2_Task_handle *old_task, uint32_t flags, const char *text, const void *site)
{
	struct wn_thread *t = wn_self;
	if (is_quick(t) && t->depth <= WN_STACK_MAX) {
		uint64_t tick = wn_quick_clock();
		struct pomp2_region *r = pomp2_region_known(handle);
		uint32_t all_flags = r ? flags | r->task_flags : flags;
		unsigned place = r ? wn_quick_site(t, site, all_flags) : WN_SITE_TABLE_N;
		if (__builtin_expect(place != WN_SITE_TABLE_N, 1)) {
			wn_quick_at(t, WN_EV_TASK_CREATE, tick, place);
			*old_task = (POMP2_Task_handle)t->stack[t->depth];
			*new_task = (POMP2_Task_handle)wn_new_id(t);
			return;
		}
	}
	create_slowly(handle, new_task, old_task, flags, text, site);
}

static __attribute__((noinline)) void
create_end_slowly(POMP2_Task_handle old_task)
{
	struct wn_thread *t = pomp2_self();
	if (!t)
		return;
	uint64_t tick = wn_clock();
	pomp2_resume(t, tick, old_task);
	wn_ev_create_end(t, tick);
}

void
pomp2_at_create_end(POMP2_Task_handle old_task)
{
	struct wn_thread *t = wn_self;
	if (is_quick(t) && (wn_id)old_task == wn_stack_peek(t, 0))
		wn_quick_plain(t, WN_EV_CREATE_END, wn_quick_clock());
	else
		create_end_slowly(old_task);
}

static __attribute__((noinline)) void
task_begin_slowly(POMP2_Task_handle new_task)
{
	struct wn_thread *t = pomp2_self();
	if (t)
		wn_ev_task_begin(t, wn_clock(), (wn_id)new_task);
}

void
pomp2_at_task_begin(POMP2_Task_handle new_task)
{
	struct wn_thread *t = wn_self;
	if (new_task == 0)
		return;
	if (is_quick(t) && t->depth < WN_STACK_MAX)
		wn_quick_task_begin(t, wn_quick_clock(), (wn_id)new_task, false);
	else
		task_begin_slowly(new_task);
}

static __attribute__((noinline)) void
task_end_slowly(void)
{
	struct wn_thread *t = pomp2_self();
	if (t && t->depth > 0)
		wn_ev_task_end(t, wn_clock());
}

void
pomp2_at_task_end(void)
{
	struct wn_thread *t = wn_self;
	if (is_quick(t) && t->depth > t->depth_low) {
		wn_quick_plain(t, WN_EV_TASK_END, wn_quick_clock());
		t->depth--;
	} else {
		task_end_slowly();
	}
}
