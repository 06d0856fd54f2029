/* SPDX-License-Identifier: MIT */
/*
 * metrics_private.h - the passes of wn_metrics_build(). Private to this folder.
 */
#ifndef WN_METRICS_PRIVATE_H
#define WN_METRICS_PRIVATE_H

#include "metrics/metrics.h"

wn_status metrics_totals(struct wn_metrics *m, wn_err *err);
wn_status metrics_profile(struct wn_metrics *m, wn_err *err);

/* Sets the problem's bit if the value is on the wrong side of its threshold. */
void metrics_judge(struct wn_metrics *m, wn_grain id, int p, double value);

/* The k-th smallest of values[n] (k < n); reorders them. O(n) on average. */
uint64_t metrics_select(uint64_t *values, size_t n, size_t k);

/* Span as the R prototype computes it: reduced graph, a parent's whole work before its children. */
wn_status metrics_compat_span(const struct wn_graph *g, uint64_t *span_ns, wn_err *err);

#endif /* WN_METRICS_PRIVATE_H */
