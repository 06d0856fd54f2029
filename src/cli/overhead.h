/* SPDX-License-Identifier: MIT */
/*
 * overhead.h - estimates the recording overhead of a program.
 *
 * It is the recorded bytes times the recorder's time per byte, measured on this machine on demand,
 * plus a fixed cost per process. Not included: the runtime's cost to report events (a libomp with a
 * tool is slower even if the tool does nothing), and cache misses that the records cause. Only a
 * run without Winnow shows these.
 */
#pragma once

#include "trace/trace_format.h"

#include <stddef.h>
#include <stdint.h>

/* CPU time of all threads together. Cost: about 0.1 ms; none if even the upper bound per byte is
 * below `least_ns`. */
uint64_t overhead_estimate_ns(uint64_t event_bytes, size_t n_processes, uint64_t n_threads,
                              enum wn_clock_kind clock, uint64_t least_ns);
