/* SPDX-License-Identifier: MIT */
/*
 * mutex.h - what mutex.c and locks.c share: the three records of a task that comes to hold a mutex.
 *
 * MUTEX_WAIT is taken before the real call and MUTEX_ACQUIRED after it; MUTEX_RELEASED is taken
 * before the real release. So the times between the last two never overlap on one mutex, as long as
 * the processor does not read the clock ahead of the real call, hence wn_clock_after().
 */
#ifndef WN_LIBGOMP_MUTEX_H
#define WN_LIBGOMP_MUTEX_H

#include "record/sources/libgomp/real.h"

static inline void
gomp_mutex_wait(struct wn_thread *t, const void *site, enum wn_mutex_kind kind, uint64_t mutex)
{
	if (t)
		wn_ev_mutex_wait(t, wn_clock(), site, kind, mutex);
}

static inline void
gomp_mutex_acquired(struct wn_thread *t)
{
	if (gomp_is_same(t))
		wn_ev_mutex_acquired(t, wn_clock_after());
}

/* Acquired at once: a wait of no length. */
static inline void
gomp_mutex_got(struct wn_thread *t, const void *site, enum wn_mutex_kind kind, uint64_t mutex)
{
	if (!gomp_is_same(t))
		return;
	uint64_t tick = wn_clock_after();
	wn_ev_mutex_wait(t, tick, site, kind, mutex);
	wn_ev_mutex_acquired(t, tick);
}

static inline void
gomp_mutex_released(struct wn_thread *t, const void *site, enum wn_mutex_kind kind, uint64_t mutex)
{
	if (t)
		wn_ev_mutex_released(t, wn_clock(), site, kind, mutex);
}

#endif /* WN_LIBGOMP_MUTEX_H */
