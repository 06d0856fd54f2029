/* SPDX-License-Identifier: MIT */
/*
 * finalize.h - finishes the traces that a recording left, and adds up what they amount to.
 *
 * No trace is read: an outline (trace/trace_outline.h) takes the block headers and the last blocks.
 */
#ifndef WN_CLI_FINALIZE_H
#define WN_CLI_FINALIZE_H

#include "cli/launch.h"
#include "cli/recorder_channel.h"
#include "trace/trace_complete.h"

#include <stdint.h>

/* All traces of a recording together. */
struct finalized {
	uint64_t file_bytes; /* as `ls -l` says, holes included */
	uint64_t disk_bytes; /* that they occupy */
	uint64_t event_bytes;
	uint64_t n_grains;
	uint64_t region_ns; /* time in parallel regions */
	uint32_t sources;
	uint32_t clock_kind;
	size_t n_running;          /* the process is still there */
	size_t n_incomplete;       /* traces of which the recording is not complete ... */
	struct wn_verdict verdict; /* ... and why: the weightiest reason */
	char runtime[128];         /* of the first one recorded by OMPT alone */

	size_t most; /* the trace with the most time in parallel regions, then grains; else the
	                first */
	uint64_t most_region_ns, most_n_grains;
};

/* Finishes the traces and adds them up. The process that was launched is the only one whose end is
 * known: it is stored in its last trace. Traces that are still written are left alone. */
void finalize_traces(const char *verb, const struct channel_report *report,
                     const struct launch_outcome *ran, struct finalized *out);

#endif /* WN_CLI_FINALIZE_H */
