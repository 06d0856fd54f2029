/* SPDX-License-Identifier: MIT */
/* search.h - the best value of a parameter of a recorded run, for `winnow predict --search`. */
#pragma once

#include "report/prediction.h"
#include "simulate/search.h"

struct wn_report_search {
	char places[160];      /* "fib.c:12, fib.c:14" */
	const char *parameter; /* "depth", "work", "descendants", "chunk", "split" */
	uint32_t n_threads;
	struct wn_search found;
	uint8_t *is_at; /* owned */
};

/**
 * Searches the best value, with the changes of the prediction, on its last number of threads.
 *
 * @param texts  [n] PLACE=PARAMETER; all of one parameter, which all places share.
 * @param err    err->offset: the index of the text at fault, else WN_NO_OFFSET.
 * @return WN_OK: the result is r->search · WN_E_ARG (a text is none, or has no effect) ·
 *         WN_E_NOMEM · as wn_search()
 * Cost     that of wn_search().
 */
WN_MUST_CHECK wn_status wn_report_search_add(struct wn_report_prediction *r,
                                             const char *const *texts, size_t n, wn_err *err);
void wn_report_search_free(struct wn_report_search *s);

/* "depth 4 to 6", "chunks of 16": the best values. */
#define WN_SEARCH_TEXT_BYTES 80
const char *wn_search_range_text(const char *parameter, const struct wn_search *s,
                                 char out[WN_SEARCH_TEXT_BYTES]);

const char *wn_search_value_text(const char *parameter, uint64_t value,
                                 char out[WN_SEARCH_TEXT_BYTES]);
const char *wn_search_parameter_title(const char *parameter); /* "cut-off" */
