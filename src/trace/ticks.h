/* SPDX-License-Identifier: MIT */
/*
 * ticks.h - the processor's counter of time: the clock of traces, where it has one.
 *
 * x86-64: the time stamp counter, if it runs at one rate; the processor does not state that rate.
 * AArch64: the virtual count of the generic timer, which all CPUs share and whose rate the
 * processor states. Other processors: none here; traces use CLOCK_MONOTONIC.
 *
 * The functions are pure readings of registers; any thread may call them at any time.
 */
#pragma once

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <cpuid.h>
#define WN_HAS_TICKS 1
#elif defined(__aarch64__)
#define WN_HAS_TICKS 1
#else
#define WN_HAS_TICKS 0
#endif

/* Lowest and highest rates that readers accept, in ticks per second. */
#define WN_TICKS_HZ_MIN UINT64_C(10000000)
#define WN_TICKS_HZ_MAX UINT64_C(100000000000)

/* The count now; 0 where there is no counter. May be read before earlier instructions are done. */
static inline uint64_t
wn_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t count;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
#else
	return 0;
#endif
}

/* The following wn_ticks() is not read before an earlier load on whose value a branch depended:
 * that which took a lock, or ended a wait. */
static inline void
wn_ticks_order(void)
{
#if defined(__x86_64__)
	__builtin_ia32_lfence();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/* Ticks per second as the processor states them; 0 = it does not. */
static inline uint64_t
wn_ticks_hz(void)
{
#if defined(__aarch64__)
	uint64_t hz;
	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
#else
	return 0;
#endif
}

/* Does the counter run at one rate, and fast enough to be a clock? */
static inline bool
wn_ticks_are_time(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;
	/* leaf 0x80000007, EDX bit 8: the counter runs at one rate in all power states */
	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#else
	uint64_t hz = wn_ticks_hz();
	return hz > WN_TICKS_HZ_MIN && hz < WN_TICKS_HZ_MAX;
#endif
}

/* Are the trace's times ticks of a counter like this processor's? Then both can be compared, if it
 * is the same machine. */
static inline bool
wn_ticks_are_of(const struct wn_trace_header *h)
{
	return WN_HAS_TICKS && h->clock_kind == WN_CLOCK_TICKS && h->tick_hz == wn_ticks_hz();
}
