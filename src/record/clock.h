/* SPDX-License-Identifier: MIT */
/* clock.h - reads the clock: the processor's own, or a fallback. */
#pragma once

#include "record/thread.h"
#include "trace/ticks.h"

#include <stdint.h>
#include <time.h>

/* counters/count.c: another clock, or counters are read with it. */
uint64_t wn_clock_and_counters(void);

static inline uint64_t
wn_clock(void)
{
	if (WN_HAS_TICKS && __builtin_expect(wn_clock_is_bare, 1))
		return wn_ticks();
	return wn_clock_and_counters();
}

/* Reads the clock after all earlier loads are complete. The plain clock may be read early: before a
 * lock was acquired, and so before its last holder released it; or before the last thread arrived
 * at a barrier. */
static inline uint64_t
wn_clock_after(void)
{
	wn_ticks_order();
	return wn_clock();
}
