/* SPDX-License-Identifier: MIT */
/* trace_unseen.h - constructs that ran without events in the trace. */
#pragma once

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stddef.h>

#define WN_UNSEEN_BYTES 224u /* holds the longest text */

struct wn_unrecorded {
	bool has_any;
	uint64_t after_ns;           /* since the start of the recording */
	uint64_t n_regions, n_tasks; /* both 0 if they could not be counted */
};

/* Reads them from a trace's header. */
struct wn_unrecorded wn_header_unseen(const struct wn_trace_header *h);

/**
 * Describes constructs that ran after the OpenMP runtime had shut down, as libomp does on
 * omp_pause_resource_all(omp_pause_hard): the time of the first, and their number.
 *
 * @param unseen  has_any is true: such a recording is incomplete.
 * @param text    [size] one clause without a full stop.
 * @return `text`
 */
const char *wn_unseen_text(const struct wn_unrecorded *unseen, char *text, size_t size);
