/* SPDX-License-Identifier: MIT */
/*
 * finalize.h - finishes the traces that a recording left, and sums them up.
 *
 * Reads only an outline of each trace (trace/trace_outline.h): the block headers and the last
 * blocks.
 */
#pragma once

#include "cli/launch.h"
#include "cli/recorder_channel.h"
#include "trace/trace_complete.h"

#include <stdint.h>

/* Sums over all traces of a recording. */
struct finalized {
	uint64_t file_bytes; /* file sizes, holes included */
	uint64_t disk_bytes; /* occupied bytes */
	uint64_t event_bytes;
	uint64_t n_grains, n_threads;
	uint64_t region_ns; /* time in parallel regions */
	uint32_t sources;
	uint32_t clock_kind;
	size_t n_running;          /* the process still runs */
	size_t n_incomplete;       /* incomplete traces ... */
	struct wn_verdict verdict; /* ... and the most important reason */
	char runtime[128];         /* of the first trace recorded by OMPT alone */

	size_t most; /* the trace with the most time in parallel regions, then grains; else the
	                first */
	uint64_t most_region_ns, most_n_grains;
};

/* Finishes the traces and sums them up. Only the launched process has a known end, which is stored
 * in its last trace. Skips traces that are still written. calibrates: see struct record_request */
void finalize_traces(const struct channel_report *report, const struct launch_outcome *ran,
                     bool calibrates, struct finalized *out);
