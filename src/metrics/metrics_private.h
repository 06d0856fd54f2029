/* SPDX-License-Identifier: MIT */
/*
 * metrics_private.h - the passes of wn_metrics_build(). Private to this folder.
 */
#ifndef WN_METRICS_PRIVATE_H
#define WN_METRICS_PRIVATE_H

#include "metrics/metrics.h"

wn_status metrics_totals(struct wn_metrics *m, wn_err *err);
wn_status metrics_profile(struct wn_metrics *m, wn_err *err);

/* Sets the problem's bit if the value is on the wrong side of its threshold; NAN never is. */
void metrics_judge_beyond(struct wn_metrics *m, wn_grain id, int p);

static inline void
metrics_judge(struct wn_metrics *m, wn_grain id, int p, double value)
{
	if (m->problem_types[p].is_below ? value < m->threshold[p] : value > m->threshold[p])
		metrics_judge_beyond(m, id, p);
}

/* Makes these the columns, the first ones being those that were there before; a problem's column is
 * then the one of these. */
void metrics_use_columns(struct wn_metrics *m, const struct wn_column *columns, size_t n);

/* define.c: a number as expressions have them: 2, 1.5ms, 50%, -1. False: it is none. */
bool metrics_read_number(const char *text, size_t n_bytes, double *out);

/* user.c: the columns and problem types of options.metrics, after those that are there already; the
 * problems of a grain among them. */
wn_status metrics_user_add(struct wn_metrics *m, wn_err *err);
void metrics_user_judge(struct wn_metrics *m, wn_grain id);
void metrics_user_free(struct wn_user_metrics *user);
/* counted.c: the columns of counters, and problems that follow from them. */
wn_status metrics_counted_add(struct wn_metrics *m, wn_err *err);
void metrics_counted_judge(struct wn_metrics *m, wn_grain id);
void metrics_counted_free(struct wn_counted_metrics *counted);
/* scatter.c: the same of memory nodes. */
wn_status metrics_scatter_add(struct wn_metrics *m, wn_err *err);
void metrics_scatter_judge(struct wn_metrics *m, wn_grain id);
void metrics_scatter_free(struct wn_scatter_metrics *scatter);
/* imported.c: the columns and problem types of an imported table; the value of a built-in problem
 * type that it brings (false: it does not); the problems of a grain. */
wn_status metrics_imported_add(struct wn_metrics *m, wn_err *err);
bool metrics_imported_value(const struct wn_metrics *m, wn_grain id, int p, double *value);
void metrics_imported_judge(struct wn_metrics *m, wn_grain id);
void metrics_imported_free(struct wn_imported_metrics *imported);

/* The k-th smallest of values[n] (k < n); reorders them. O(n) on average. */
uint64_t metrics_select(uint64_t *values, size_t n, size_t k);

/* Span as the R prototype computes it: reduced graph, a parent's whole work before its children. */
wn_status metrics_compat_span(const struct wn_graph *g, uint64_t *span_ns, wn_err *err);

#endif /* WN_METRICS_PRIVATE_H */
