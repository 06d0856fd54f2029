/* SPDX-License-Identifier: MIT */
/*
 * task.c - explicit tasks. A task's handle is its id; its parent makes it. A task of a region that
 * is not recorded has the handle 0.
 */
#include "pomp2.h"

void
pomp2_at_create(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                POMP2_Task_handle *old_task, bool is_deferrable, bool is_untied, const char *text,
                const void *site)
{
	uint64_t tick = wn_clock();
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	*new_task = *old_task = 0;
	if (!r)
		return;
	uint32_t flags = (is_untied ? (uint32_t)WN_TASK_UNTIED : r->task_flags) |
	                 (is_deferrable ? 0u : (uint32_t)WN_TASK_UNDEFERRED);
	*old_task = (POMP2_Task_handle)wn_stack_peek(t, 0);
	unsigned place = wn_quick(t) ? wn_quick_site(t, site, flags) : WN_SITE_TABLE_N;
	if (__builtin_expect(place != WN_SITE_TABLE_N, 1)) {
		wn_quick_at(t, WN_EV_TASK_CREATE, tick, place);
		*new_task = (POMP2_Task_handle)wn_new_id(t);
		return;
	}
	pomp2_place(t, r, site, flags);
	*new_task = (POMP2_Task_handle)wn_ev_task_create(t, tick, site, flags);
}

void
pomp2_at_create_end(POMP2_Task_handle old_task)
{
	struct wn_thread *t = pomp2_self();
	if (!t)
		return;
	if (wn_quick(t) && (wn_id)old_task == wn_stack_peek(t, 0)) {
		wn_quick_plain(t, WN_EV_CREATE_END, wn_quick_clock());
		return;
	}
	uint64_t tick = wn_clock();
	pomp2_resume(t, tick, old_task);
	wn_ev_create_end(t, tick);
}

void
pomp2_at_task_begin(POMP2_Task_handle new_task)
{
	struct wn_thread *t = new_task ? pomp2_self() : NULL;
	if (t && wn_quick(t) && t->depth < WN_STACK_MAX)
		wn_quick_task_begin(t, wn_quick_clock(), (wn_id)new_task, false);
	else if (t)
		wn_ev_task_begin(t, wn_clock(), (wn_id)new_task);
}

void
pomp2_at_task_end(void)
{
	struct wn_thread *t = pomp2_self();
	if (!t || t->depth == 0)
		return;
	if (wn_quick(t)) {
		wn_quick_plain(t, WN_EV_TASK_END, wn_quick_clock());
		t->depth--;
	} else {
		wn_ev_task_end(t, wn_clock());
	}
}
