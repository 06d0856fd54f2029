/* SPDX-License-Identifier: MIT */
/* sync.c - taskwaits, barriers and mutual exclusion. */
#include "pomp2.h"

void
pomp2_at_wait(POMP2_Region_handle *handle, POMP2_Task_handle *old_task, const char *text,
              const void *site, enum wn_sync_kind kind)
{
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	*old_task = 0;
	if (!r)
		return;
	uint64_t tick = wn_clock();
	if (kind == WN_SYNC_BARRIER_IMPLICIT && r->is_parallel)
		kind = WN_SYNC_BARRIER_REGION;
	if (kind != WN_SYNC_TASKWAIT)
		pomp2_work_close(t, tick);
	*old_task = (POMP2_Task_handle)wn_stack_peek(t, 0);
	pomp2_place(t, r, site, (uint32_t)kind);
	wn_ev_sync_begin(t, tick, site, kind);
}

void
pomp2_at_wait_end(POMP2_Task_handle old_task)
{
	struct wn_thread *t = pomp2_self();
	if (!t)
		return;
	uint64_t tick = wn_clock_after(); /* not before the last thread arrived at a barrier */
	pomp2_resume(t, tick, old_task);
	wn_ev_sync_end(t, tick);
}

void
pomp2_at_mutex(POMP2_Region_handle *handle, const char *text, const void *site,
               enum wn_mutex_kind kind)
{
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	if (!r)
		return;
	pomp2_place(t, r, site, (uint32_t)kind);
	wn_ev_mutex_wait(t, wn_clock(), site, kind, r->mutex);
}

void
pomp2_at_mutex_got(void)
{
	struct wn_thread *t = pomp2_self();
	if (t)
		wn_ev_mutex_acquired(t, wn_clock());
}

void
pomp2_at_mutex_release(POMP2_Region_handle *handle, const void *site, enum wn_mutex_kind kind)
{
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, NULL) : NULL;
	if (!r)
		return;
	pomp2_place(t, r, site, (uint32_t)kind);
	wn_ev_mutex_released(t, wn_clock(), site, kind, r->mutex);
}

static enum wn_mutex_kind
lock_kind(bool is_nest)
{
	return is_nest ? WN_MUTEX_NEST_LOCK : WN_MUTEX_LOCK;
}

void
pomp2_at_lock(void *lock, const void *site, bool is_nest, void (*set)(void *))
{
	struct wn_thread *t = pomp2_self();
	if (t)
		wn_ev_mutex_wait(t, wn_clock(), site, lock_kind(is_nest), (uintptr_t)lock);
	set(lock);
	if (t)
		wn_ev_mutex_acquired(t, wn_clock());
}

void
pomp2_at_unlock(void *lock, const void *site, bool is_nest, void (*unset)(void *))
{
	struct wn_thread *t = pomp2_self();
	uint64_t tick = t ? wn_clock() : 0;
	unset(lock);
	if (t)
		wn_ev_mutex_released(t, tick, site, lock_kind(is_nest), (uintptr_t)lock);
}

/* A failed lock test is not a wait either. */
int
pomp2_at_try_lock(void *lock, const void *site, bool is_nest, int (*test)(void *))
{
	struct wn_thread *t = pomp2_self();
	uint64_t tick = t ? wn_clock() : 0;
	int is_got = test(lock);
	if (t && is_got) {
		wn_ev_mutex_wait(t, tick, site, lock_kind(is_nest), (uintptr_t)lock);
		wn_ev_mutex_acquired(t, wn_clock());
	}
	return is_got;
}
