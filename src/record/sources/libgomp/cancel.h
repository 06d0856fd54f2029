/* SPDX-License-Identifier: MIT */
/*
 * cancel.h - records a cancellation.
 */
#ifndef WN_LIBGOMP_CANCEL_H
#define WN_LIBGOMP_CANCEL_H

#include "record/sources/libgomp/real.h"

/* `what`: WN_CANCEL_PARALLEL or another code of that kind */
static inline void
gomp_cancel_seen(struct wn_thread *t, const void *site, uint32_t what, bool is_cancelled)
{
	if (__builtin_expect(is_cancelled, 0) && gomp_is_same(t))
		wn_ev_cancel(t, wn_clock(), site, what | WN_CANCEL_DETECTED);
}

#endif /* WN_LIBGOMP_CANCEL_H */
