/* SPDX-License-Identifier: MIT */
/* trace_tally.h - counts events, grains and region time of a trace in one pass over its records,
 * without building a graph. */
#pragma once

#include "trace/trace_reader.h"

struct wn_tally {
	uint64_t n_events; /* records that could be read, and gaps */
	uint64_t n_grains; /* ids handed out for tasks, chunks and sections */
	/* Durations of parallel regions, summed over the threads that open them; nested regions on
	 * the same thread are not added. An open region lasts to its thread's last record. */
	uint64_t region_ns;
};

/**
 * Counts the events of a trace and the time in its parallel regions.
 *
 * @param trace  as opened; its damage is complete afterwards.
 * @param out    written only on success.
 *
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     a few ns for each event. Threads  exclusive use of the trace.
 * Oracle   tests/unit/test_tally.c (counted as the trace is made); n_events is also the graph's.
 */
WN_MUST_CHECK wn_status wn_trace_tally(struct wn_trace *trace, struct wn_tally *out, wn_err *err);
