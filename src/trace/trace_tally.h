/* SPDX-License-Identifier: MIT */
/*
 * trace_tally.h - how much there is in a trace, from one pass over its records: no graph is built.
 */
#ifndef WN_TRACE_TALLY_H
#define WN_TRACE_TALLY_H

#include "trace/trace_reader.h"

struct wn_tally {
	uint64_t n_events; /* records that could be read, and gaps */
	uint64_t n_grains; /* ids handed out for tasks, chunks and sections */
	/* From the beginnings of parallel regions to their ends, summed over the threads that open
	 * them; a region inside another of the same thread does not count again. One that has not
	 * ended lasts to its thread's last record. */
	uint64_t region_ns;
};

/**
 * Counts the events of a trace and the time in its parallel regions.
 *
 * @param trace  as opened; its damage is known afterwards.
 * @param out    written only on success.
 *
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     a few ns for each event. Threads  none else may use the trace.
 * Oracle   tests/unit/test_tally.c (counted as the trace is made); n_events is also the graph's.
 */
WN_MUST_CHECK wn_status wn_trace_tally(struct wn_trace *trace, struct wn_tally *out, wn_err *err);

#endif /* WN_TRACE_TALLY_H */
