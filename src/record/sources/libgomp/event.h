/* SPDX-License-Identifier: MIT */
/* event.h - the most frequent events, each with its own clock reading: by the recorder's fast path
 * if available, else by a call into event.c. So a wrapper that needs registers only across its call
 * of libgomp saves no others. */
#pragma once

#include "record/sources/libgomp/real.h"

#ifdef WN_PROVIDE /* this listener takes its own times, if any */

static inline void
gomp_plain(struct wn_thread *t, enum wn_event_code code)
{
	wn_ev_plain(t, code, 0);
}

static inline void
gomp_at(struct wn_thread *t, enum wn_event_code code, const void *site, uint32_t aux)
{
	wn_ev_at(t, code, 0, site, aux);
}

#define gomp_task_begin(t, id) wn_ev_task_begin(t, 0, id)

static inline void
gomp_task_end(struct wn_thread *t)
{
	wn_ev_task_end(t, 0);
}

#else

void gomp_plain_slowly(struct wn_thread *t, enum wn_event_code code);
void gomp_at_slowly(struct wn_thread *t, enum wn_event_code code, const void *site, uint32_t aux);
void gomp_task_begin_slowly(struct wn_thread *t, wn_id id);
void gomp_task_end_slowly(struct wn_thread *t);

/* A record with only the current time. */
static inline void
gomp_plain(struct wn_thread *t, enum wn_event_code code)
{
	if (__builtin_expect(wn_quick(t), 1))
		wn_quick_plain(t, code, wn_quick_clock());
	else
		gomp_plain_slowly(t, code);
}

/* A record with the current time and a site. */
static inline void
gomp_at(struct wn_thread *t, enum wn_event_code code, const void *site, uint32_t aux)
{
	unsigned place = wn_quick_site(t, site, aux);
	if (__builtin_expect(wn_quick(t) && place != WN_SITE_TABLE_N, 1))
		wn_quick_at(t, code, wn_quick_clock(), place);
	else
		gomp_at_slowly(t, code, site, aux);
}

static inline void
gomp_task_begin(struct wn_thread *t, wn_id id)
{
	if (__builtin_expect(wn_quick(t) && t->depth < WN_STACK_MAX, 1))
		wn_quick_task_begin(t, wn_quick_clock(), id, false);
	else
		gomp_task_begin_slowly(t, id);
}

static inline void
gomp_task_end(struct wn_thread *t)
{
	if (__builtin_expect(wn_quick(t) && t->depth > t->depth_low, 1)) {
		wn_quick_plain(t, WN_EV_TASK_END, wn_quick_clock());
		t->depth--;
	} else {
		gomp_task_end_slowly(t);
	}
}

#endif /* WN_PROVIDE */

static inline void
gomp_sync_begin(struct wn_thread *t, const void *site, enum wn_sync_kind kind)
{
	gomp_at(t, WN_EV_SYNC_BEGIN, site, (uint32_t)kind);
}

/* Reads the clock after all earlier loads: an early reading may be before the last thread arrived
 * at a barrier. */
static inline void
gomp_sync_end(struct wn_thread *t)
{
	wn_ev_sync_end(t, wn_clock_after());
}

/* Called for each waiting task, so it must be cheap. */
static inline void
gomp_taskwait_end(struct wn_thread *t)
{
	gomp_plain(t, WN_EV_SYNC_END);
}
