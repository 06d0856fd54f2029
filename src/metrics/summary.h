/* SPDX-License-Identifier: MIT */
/* summary.h - summary statistics of one column over all grains of a run. */
#pragma once

#include "metrics/columns.h"

struct wn_summary {
	uint64_t n, n_missing;                   /* grains with a value, and without */
	double sum, mean, min, median, p95, max; /* NAN without values */
};

/**
 * Computes the summary of a column over all grains, as the aggregates of expressions do
 * (expr/expr.h).
 *
 * @param column  one of m->columns.
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(n); 8 bytes per id meanwhile.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_summarise(const struct wn_metrics *m, const struct wn_column *column,
                                     struct wn_summary *out, wn_err *err);
