/* SPDX-License-Identifier: MIT */
/* rank_summary.h - reduces the report of one rank's trace to its summary (ranks/summary.h). */
#pragma once

#include "ranks/summary.h"
#include "report/report.h"

/* What the trace of a rank does not contain. Texts NULL, numbers 0: unknown. */
struct wn_rank_origin {
	uint32_t rank;
	uint32_t n_sockets;
	int64_t mono_offset_ns; /* of its monotonic clock against that of its boot */
	const char *host, *boot, *cpus;
	struct wn_rank_source source;
};

/**
 * Computes the summary of one rank, of at most WN_SUMMARY_MAX_BYTES.
 *
 * @param out  written only on success; release with wn_ranks_fini().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (an imported table, or a report of a group: no times of
 * ranks) Cost     O(grains + places). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_rank_summary(const struct wn_report *r,
                                        const struct wn_rank_origin *origin, struct wn_ranks *out,
                                        wn_err *err);
