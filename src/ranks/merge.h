/* SPDX-License-Identifier: MIT */
/* merge.h - merges summaries of ranks. Rows of ranks are kept; places and findings with equal keys
 * become one record; texts are kept once. Sums that do not fit 64 bits stay at the largest number,
 * which is associative, too. */
#pragma once

#include "ranks/summary.h"

/* A table of records by their first member, a 64-bit key. */
struct wn_merge_table {
	size_t record_bytes;
	unsigned char *records; /* [n] in order of their first occurrence */
	size_t n, capacity;
	uint32_t *slots; /* [n_slots] 1 + index; 0 = free */
	size_t n_slots;
};

struct wn_merge {
	struct wn_rank_row *ranks;
	size_t n_ranks, ranks_capacity;
	struct wn_merge_table places, findings, calls, names;
	char *texts;
	size_t n_text_bytes, texts_capacity;
	uint64_t n_grains[WN_SUMMARY_BUCKETS];
};

void wn_merge_init(struct wn_merge *m);
void wn_merge_fini(struct wn_merge *m);

/**
 * Merges a whole summary: its ranks, places, findings, calls and texts.
 *
 * @return WN_OK · WN_E_NOMEM; then the merger can only be released.
 * Cost     O(records). Threads  one at a time for each merger.
 */
WN_MUST_CHECK wn_status wn_merge_add(struct wn_merge *m, const struct wn_ranks *s, wn_err *err);

/* Add single records. A place or a finding whose key is there already is merged with it. */
WN_MUST_CHECK wn_status wn_merge_rank(struct wn_merge *m, const struct wn_rank_row *rank,
                                      wn_err *err);
WN_MUST_CHECK wn_status wn_merge_place(struct wn_merge *m, const struct wn_rank_place *place,
                                       wn_err *err);
WN_MUST_CHECK wn_status wn_merge_finding(struct wn_merge *m, const struct wn_rank_finding *finding,
                                         wn_err *err);

/* Adds a call, whose key must be a text that was added. */
WN_MUST_CHECK wn_status wn_merge_call(struct wn_merge *m, const struct wn_rank_call *call,
                                      wn_err *err);

/* Adds a text, NULL too, and returns its hash in *out. */
WN_MUST_CHECK wn_status wn_merge_text(struct wn_merge *m, const char *text, uint64_t *out,
                                      wn_err *err);

/**
 * Writes the merged summary to memory.
 *
 * @param out  written only on success; release with wn_ranks_fini().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (a rank is there twice)
 * Cost     O(n log n) of all records.
 */
WN_MUST_CHECK wn_status wn_merge_finish(struct wn_merge *m, struct wn_ranks *out, wn_err *err);
