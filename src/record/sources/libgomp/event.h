/* SPDX-License-Identifier: MIT */
/*
 * event.h - the events that come by the million, each with its own reading of the clock: by the
 * recorder's short cut where it is open, else by a call into event.c. A wrapper that needs
 * registers only across its call of libgomp then saves no more than those.
 */
#ifndef WN_LIBGOMP_EVENT_H
#define WN_LIBGOMP_EVENT_H

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

/* A record of only a time, now. */
static inline void
gomp_plain(struct wn_thread *t, enum wn_event_code code)
{
	if (__builtin_expect(wn_quick(t), 1))
		wn_quick_plain(t, code, wn_quick_clock());
	else
		gomp_plain_slowly(t, code);
}

/* A record of a time, now, and a site. */
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

/* Not before what the others did until they let it go: a clock that is read ahead of the real call
 * may say that a barrier ended before its last thread came. */
static inline void
gomp_sync_end(struct wn_thread *t)
{
	wn_ev_sync_end(t, wn_clock_after());
}

/* One for each task that waits: as cheap as can be. */
static inline void
gomp_taskwait_end(struct wn_thread *t)
{
	gomp_plain(t, WN_EV_SYNC_END);
}

#endif /* WN_LIBGOMP_EVENT_H */
