/* SPDX-License-Identifier: MIT */
/* page_data.h - encodes a recording for the page: as run.grains (grains/format.h,
 * winnow-grains(5)), or as the page with that inside. */
#pragma once

#include "report/diff.h"
#include "report/report.h"

#include <stdio.h>

struct wn_page_data_options {
	unsigned n_threads;         /* 0 = number of CPUs; the result does not depend on it */
	uint32_t chunk_grains;      /* 0 = WN_GRAINS_CHUNK; tests use smaller ones */
	uint32_t slice_stretches;   /* 0 = default; of the timeline; tests use less */
	uint64_t budget_bytes;      /* limit of the written file; 0 = none */
	bool has_no_source;         /* omit excerpts of the program's source */
	const struct wn_diff *diff; /* comparison of another recording with this one, which is B;
	                               NULL; must outlive the view */
	bool is_page;               /* the budget is for the page, not for run.grains */
};

struct wn_page_data;

/**
 * Collects and encodes a recording.
 *
 * @param r      of a whole graph (wn_options.needs_whole_graph), of all grains; must outlive the
 *               view.
 * @param spool  an empty file, open for reading and writing, for exclusive use; must outlive the
 * view. Receives the encoded blocks.
 * @param out    written only on success; release with wn_page_data_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_IO · WN_E_LIMIT · WN_E_ARG (a lean graph; a group; a budget
 *         that is too small)
 *
 * Cost     O(n); at most 60 bytes per node of the tree during the call, and about 2 MB per thread.
 * Threads  starts n_threads - 1 of its own. The bytes are the same for any number.
 * Oracle   tests/view/prop_page_data.c
 */
WN_MUST_CHECK wn_status wn_page_data_build(struct wn_report *r,
                                           const struct wn_page_data_options *options, FILE *spool,
                                           struct wn_page_data **out, wn_err *err);
void wn_page_data_free(struct wn_page_data *v);

/* The effect of a budget. */
struct wn_page_data_kept {
	uint64_t n_chunks, n_chunks_kept, n_grains, n_grains_kept, work_ns, work_kept_ns;
	uint64_t file_bytes; /* bytes of run.grains */
	uint32_t n_columns_left_out;
};
void wn_page_data_kept(const struct wn_page_data *v, struct wn_page_data_kept *out);

/* Writes run.grains. WN_OK · WN_E_NOMEM · WN_E_IO · WN_E_LIMIT */
WN_MUST_CHECK wn_status wn_page_data_write_grains(struct wn_page_data *v, FILE *to, wn_err *err);

/* Writes the page with run.grains in it: one self-contained HTML file. The same codes. */
WN_MUST_CHECK wn_status wn_page_data_write_page(struct wn_page_data *v, FILE *to, wn_err *err);
