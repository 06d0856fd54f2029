/* SPDX-License-Identifier: MIT */
/* job_diff.h - compares two jobs: efficiencies, where the threads' time went, places by name, and
 * findings. Ranks are not matched: another number of them is another division of the work.
 * Definitions: doc/metrics.md, "Jobs". */
#pragma once

#include "report/job.h"

/* A place of either job, or of both. */
struct wn_job_diff_place {
	const struct wn_rank_place *place[2]; /* of A, of B; NULL: it has none */
	double difference_ns;                 /* work(B) - work(A), all ranks */
};

/* A finding of either job, or of both. */
struct wn_job_diff_finding {
	const struct wn_job_finding *finding[2];
};

struct wn_job_diff {
	const struct wn_job_report *run[2]; /* borrowed; A is the reference */
	struct wn_job_diff_place *places;   /* largest difference first */
	size_t n_places;
	struct wn_job_diff_finding *findings; /* only in B first, then in both, then only in A */
	size_t n_findings;
	bool is_other_command, is_other_size; /* size: ranks, or threads of a rank */
};

/**
 * Compares two jobs.
 *
 * @param a,b  must outlive the result.
 * @param out  written only on success; release with wn_job_diff_free().
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(places log places + findings^2). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_job_diff_build(const struct wn_job_report *a,
                                          const struct wn_job_report *b, struct wn_job_diff **out,
                                          wn_err *err);
void wn_job_diff_free(struct wn_job_diff *d);

/* Writes it as text. WN_OK · WN_E_IO (errno has the reason) · WN_E_NOMEM */
WN_MUST_CHECK wn_status wn_job_diff_text(const struct wn_job_diff *d,
                                         const struct wn_text_style *style, FILE *to, wn_err *err);

/* Builds it as JSON, schema winnow.job_diff/1; release with json_decref(). */
WN_MUST_CHECK wn_status wn_job_diff_json(const struct wn_job_diff *d, json_t **out, wn_err *err);
