/* SPDX-License-Identifier: MIT */
/*
 * mutex.c - critical, ordered, atomic and locks: request, acquisition, release.
 *
 * One MUTEX_WAIT, MUTEX_ACQUIRED and MUTEX_RELEASED each time a task acquires a mutex. The wait for
 * a lock is recorded when the lock is acquired, with the time of the request: the request may have
 * been a failed test (which libomp 14 and 16 do not distinguish), and the holder of a nested lock
 * may acquire it again. Neither is a wait, and neither is recorded.
 */
#include "record/sources/ompt/callbacks.h"

/* Time at which this thread requested a lock that it has not acquired yet. */
static __thread uint64_t lock_tick __attribute__((tls_model("initial-exec")));

static enum wn_mutex_kind
mutex_kind(ompt_mutex_t kind)
{
	switch ((unsigned)kind) {
	case WN_OMPT_MUTEX_CRITICAL:
		return WN_MUTEX_CRITICAL;
	case WN_OMPT_MUTEX_ATOMIC:
		return WN_MUTEX_ATOMIC;
	case WN_OMPT_MUTEX_ORDERED:
		return WN_MUTEX_ORDERED;
	case WN_OMPT_MUTEX_NEST_LOCK:
	case WN_OMPT_MUTEX_TEST_NEST_LOCK:
		return WN_MUTEX_NEST_LOCK;
	default:
		return WN_MUTEX_LOCK;
	}
}

static bool
is_lock(ompt_mutex_t kind)
{
	return (unsigned)kind <= WN_OMPT_MUTEX_TEST_NEST_LOCK;
}

static inline struct wn_thread *
mutex_thread(void)
{
	struct wn_thread *t = wn_self;
	return t && !(t->source_flags & FLAG_MUTED) ? t : NULL;
}

void
ompt_on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t mutex,
                      const void *codeptr)
{
	struct wn_thread *t = mutex_thread();
	(void)hint;
	(void)impl;

	if (!t)
		return;
	if (is_lock(kind))
		lock_tick = wn_clock();
	else
		wn_ev_mutex_wait(t, wn_clock(), user_code_or_null(codeptr), mutex_kind(kind),
		                 mutex);
}

void
ompt_on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *codeptr)
{
	struct wn_thread *t = mutex_thread();

	if (!t)
		return;
	if (is_lock(kind))
		wn_ev_mutex_wait(t, lock_tick, user_code_or_null(codeptr), mutex_kind(kind), mutex);
	wn_ev_mutex_acquired(t, wn_clock_after());
}

void
ompt_on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *codeptr)
{
	struct wn_thread *t = mutex_thread();

	if (t)
		wn_ev_mutex_released(t, wn_clock(), user_code_or_null(codeptr), mutex_kind(kind),
		                     mutex);
}
