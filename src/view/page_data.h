/* SPDX-License-Identifier: MIT */
/*
 * page_data.h - a recording as what the page reads: run.grains (grains/format.h, winnow-grains(5)),
 * or the page itself with that inside.
 */
#ifndef WN_VIEW_PAGE_DATA_H
#define WN_VIEW_PAGE_DATA_H

#include "report/diff.h"
#include "report/report.h"

#include <stdio.h>

struct wn_page_data_options {
	unsigned n_threads;    /* 0 = as many as there are CPUs; the result is the same for any */
	uint32_t chunk_grains; /* 0 = WN_GRAINS_CHUNK; tests cut smaller */
	uint64_t budget_bytes; /* of the file written; 0 = all of it, whatever its size */
	bool has_no_source;    /* without excerpts of the program's text */
	const struct wn_diff
	    *diff;    /* of another recording and this one, which is B; NULL; meanwhile */
	bool is_page; /* the budget is one of the page, not of run.grains */
};

struct wn_page_data;

/**
 * Gathers everything and encodes it.
 *
 * @param r      of a whole graph (wn_options.needs_whole_graph), of all grains; must outlive the
 *               view.
 * @param spool  an empty file, open for reading and writing, that is nobody else's; must outlive
 *               the view. Receives what is encoded.
 * @param out    written only on success; release with wn_page_data_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_IO · WN_E_LIMIT · WN_E_ARG (a lean graph; a group; a budget
 *         that is too small)
 *
 * Cost     O(n); 60 bytes per node of the tree at most meanwhile, and about 2 MB per thread.
 * Threads  starts n_threads - 1 of its own. The bytes are the same for any number.
 * Oracle   tests/view/prop_page_data.c
 */
WN_MUST_CHECK wn_status wn_page_data_build(struct wn_report *r,
                                           const struct wn_page_data_options *options, FILE *spool,
                                           struct wn_page_data **out, wn_err *err);
void wn_page_data_free(struct wn_page_data *v);

/* What became of a budget. */
struct wn_page_data_kept {
	uint64_t n_chunks, n_chunks_kept, n_grains, n_grains_kept, work_ns, work_kept_ns;
	uint64_t file_bytes; /* of run.grains */
	uint32_t n_columns_left_out;
};
void wn_page_data_kept(const struct wn_page_data *v, struct wn_page_data_kept *out);

/* Writes run.grains. WN_OK · WN_E_NOMEM · WN_E_IO · WN_E_LIMIT */
WN_MUST_CHECK wn_status wn_page_data_write_grains(struct wn_page_data *v, FILE *to, wn_err *err);

/* Writes the page with run.grains in it: one file of HTML that refers to nothing else. The same
 * codes. */
WN_MUST_CHECK wn_status wn_page_data_write_page(struct wn_page_data *v, FILE *to, wn_err *err);

#endif /* WN_VIEW_PAGE_DATA_H */
