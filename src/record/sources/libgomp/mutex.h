/* SPDX-License-Identifier: MIT */
/*
 * mutex.h - shared by mutex.c and locks.c: the three records of an acquired mutex.
 *
 * The times of MUTEX_WAIT and MUTEX_ACQUIRED are taken before and after the real call, that of
 * MUTEX_RELEASED before the real release. So times of holding one mutex never overlap, provided
 * that the processor does not read the clock before the real call completes, hence
 * wn_clock_after().
 */
#pragma once

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

/* Acquired at once: a wait of zero length. */
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
