/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the instant of an event, by the processor's own clock or by whatever else there is.
 */
#ifndef WN_RECORD_CLOCK_H
#define WN_RECORD_CLOCK_H

#include "record/thread.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* counters/count.c: another clock, or counters are read with it. */
uint64_t wn_clock_and_counters(void);

static inline uint64_t
wn_clock(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(wn_clock_is_bare, 1))
		return __rdtsc();
#endif
	return wn_clock_and_counters();
}

/* The clock once all that was loaded before is there. The plain one may be read while a lock is
 * still being taken, and so before the time at which its last holder let it go; or while a barrier
 * is being left, and so before its last thread came. */
static inline uint64_t
wn_clock_after(void)
{
#if defined(__x86_64__)
	_mm_lfence();
#endif
	return wn_clock();
}

#endif /* WN_RECORD_CLOCK_H */
