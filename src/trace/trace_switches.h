/* SPDX-License-Identifier: MIT */
/* trace_switches.h - when the threads of a trace were off the CPU (rule V14 of trace_format.h). */
#pragma once

#include "trace/trace_reader.h"

/* An interval in which a thread was not on a CPU for certain; nanoseconds since the trace's start.
 */
struct wn_switch {
	uint64_t begin_ns, end_ns; /* begin_ns < end_ns */
	enum wn_switch_kind kind;
};

/* A position in the intervals of one thread; may be copied. Private contents. */
struct wn_switch_cursor {
	const struct wn_trace *trace;
	size_t record, record_end;
	uint32_t n_left; /* intervals of the open record */
	bool is_open, is_over;
	const uint8_t *next, *end;
	uint64_t mono_ns; /* up to here everything has been delivered */
	uint64_t until_ns;
};

/* Has any thread of the trace switch records? */
bool wn_trace_has_switches(const struct wn_trace *trace);

/**
 * Walks the intervals of a thread, in order of time and without overlap. Where nothing is known,
 * before the first record, between records and after the last one, there is an interval of kind
 * WN_SWITCH_UNKNOWN; in the rest of the time the thread was on a CPU.
 *
 * Cost     some nanoseconds for each interval; no memory.
 * Threads  any number of cursors of one trace at the same time.
 */
void wn_switch_cursor_init(struct wn_switch_cursor *cursor, const struct wn_trace *trace,
                           uint32_t thread);
/* False at the end; the last interval of a thread is one of kind WN_SWITCH_UNKNOWN. */
bool wn_switch_next(struct wn_switch_cursor *cursor, struct wn_switch *out);

/* [n] reasons why there are no switch records of some threads, as the recorder found them. */
size_t wn_trace_switches_missing(const struct wn_trace *trace, const char *const **lines);

/* How long threads without switch records waited for a CPU in all, by the kernel's statistics;
 * false if that is known of none. Cost: O(records). */
bool wn_trace_queue_ns(const struct wn_trace *trace, uint64_t *ns);

/* How long threads with switch records waited for a CPU in all after they had been woken, which is
 * at the end of intervals of kind WN_SWITCH_BLOCKED: the kernel's sum of all waits less those of
 * preempted threads. False if that is known of none. Cost: reads all switch records. */
bool wn_trace_woken_ns(const struct wn_trace *trace, uint64_t *ns);

/**
 * How far the clock of the intervals, CLOCK_MONOTONIC, may be from the clock of the events, in
 * nanoseconds: the largest difference at the beginnings of blocks, where both were read. Intervals
 * are misplaced by no more; their lengths are right.
 *
 * Cost     reads the header of each block.
 */
uint64_t wn_trace_clock_residual_ns(const struct wn_trace *trace);
