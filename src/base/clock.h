/* SPDX-License-Identifier: MIT */
/* clock.h - reads a clock of the system. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Nanoseconds by a clock, as CLOCK_MONOTONIC. Threads: safe, also in signal handlers. */
static inline uint64_t
wn_now_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
