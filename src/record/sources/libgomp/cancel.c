/* SPDX-License-Identifier: MIT */
/* cancel.c - cancellation: requests, and cancellation points taken. The trace uses libgomp's codes
 * for cancelled constructs. A task that libgomp discards never begins and has no event. Barriers
 * that end early because their region was cancelled are handled in sync.c and loop.c. */
#include "record/sources/libgomp/work.h"

static_assert(WN_CANCEL_PARALLEL == 1 && WN_CANCEL_LOOP == 2 && WN_CANCEL_SECTIONS == 4 &&
                  WN_CANCEL_TASKGROUP == 8,
              "GOMP_cancel's words");

/* With a false if clause it is a cancellation point. */
GOMP_ENTRY(bool, GOMP_cancel, int which, bool do_cancel)
{
	GOMP_ENTER(GOMP_cancel);
	uint32_t what = do_cancel ? WN_CANCEL_ACTIVATED : WN_CANCEL_DETECTED;
	uint64_t tick = t ? wn_clock() : 0;
	bool is_cancelled = real(which, do_cancel);
	if (is_cancelled && gomp_is_same(t))
		wn_ev_cancel(t, tick, site, ((uint32_t)which & 15u) | what);
	return is_cancelled;
}

GOMP_ENTRY(bool, GOMP_cancellation_point, int which)
{
	GOMP_ENTER(GOMP_cancellation_point);
	bool is_cancelled = real(which);
	gomp_cancel_seen(t, site, (uint32_t)which & 15u, is_cancelled);
	return is_cancelled;
}
