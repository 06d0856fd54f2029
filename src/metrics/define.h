/* SPDX-License-Identifier: MIT */
/*
 * define.h - metrics that the user defines: an expression over the columns of a grain, which values
 * are bad, from where on they are a problem, and how groups of grains fold them.
 *
 * They come from options (--metric, --bad, --threshold, --propagate) or from a file with the same
 * words (winnow-metrics(5)). Here they are texts; wn_metrics_build() makes columns and problem
 * types of them.
 */
#ifndef WN_METRICS_DEFINE_H
#define WN_METRICS_DEFINE_H

#include "metrics/columns.h"

#define WN_METRIC_DEFS_MAX 64

struct wn_metric_def {
	char *name, *text; /* the expression; both owned */
	enum wn_bad bad;
	enum wn_fold fold; /* WN_FOLD_N: as the direction has it */
	double threshold;  /* NAN: none */
	char *file;        /* owned; NULL = an option */
	uint32_t line,
	    column; /* where the expression begins, from 1; of an option the column alone */
};

/* Starts as zeros. */
struct wn_metric_defs {
	struct wn_metric_def *items;
	size_t n, capacity;
};

/* How a metric is folded: as it says, else in its bad direction, else evaluated again. */
enum wn_fold wn_metric_fold(const struct wn_metric_def *def);

/* What may be said of a metric after its definition. */
enum wn_metric_attribute { WN_METRIC_BAD = 0, WN_METRIC_THRESHOLD, WN_METRIC_PROPAGATE };

/**
 * Adds a metric, "NAME = EXPR". The expression is only looked at when all columns are known, by
 * wn_metric_defs_check().
 *
 * @return WN_OK · WN_E_ARG (err->msg: what is wrong, and in which column) · WN_E_NOMEM
 */
WN_MUST_CHECK wn_status wn_metric_defs_add(struct wn_metric_defs *defs, const char *text,
                                           wn_err *err);

/**
 * Sets what the last metric added is like: low, high or none; a number, with a unit perhaps; sum,
 * min, max, median, mean, any, again or none.
 *
 * @return WN_OK · WN_E_ARG
 */
WN_MUST_CHECK wn_status wn_metric_defs_set(struct wn_metric_defs *defs,
                                           enum wn_metric_attribute attribute, const char *value,
                                           wn_err *err);

/**
 * Reads a file of metrics and thresholds.
 *
 * @param file     its name, for messages.
 * @param text     [n_bytes] what is in it.
 * @param options  thresholds of built-in problem types go here.
 * @return WN_OK · WN_E_ARG (err->msg begins with FILE:LINE:COLUMN) · WN_E_NOMEM
 * Cost     O(n_bytes).
 */
WN_MUST_CHECK wn_status wn_metric_defs_read(struct wn_metric_defs *defs, const char *file,
                                            const char *text, size_t n_bytes,
                                            struct wn_options *options, wn_err *err);

/**
 * Proves that the expressions can be evaluated and judged, before there is a graph.
 *
 * @param knows_columns      false: a recording that is not open yet may bring columns of its own,
 * so names that mean nothing are left to wn_metrics_build().
 * @param needs_whole_graph  set if one uses what a lean graph does not have. May be NULL.
 * @return WN_OK · WN_E_ARG (err->msg says which metric, where and why) · WN_E_NOMEM
 * Cost     O(length of the expressions).
 */
WN_MUST_CHECK wn_status wn_metric_defs_check(const struct wn_metric_defs *defs, bool knows_columns,
                                             bool *needs_whole_graph, wn_err *err);

/* The expression of a metric of the user, one of the last m->n_user_columns of m->columns: what it
 * names is m->columns, by index, or numbers of the run (metrics/scope.h). */
struct wn_expr;
const struct wn_expr *wn_metric_expression(const struct wn_metrics *m,
                                           const struct wn_column *column);

void wn_metric_defs_fini(struct wn_metric_defs *defs);

/* Are the built-in columns all that a recording has? Not if it is an imported table, tells memory
 * nodes, has counters,
 * or gets those of another run. */
bool wn_metric_knows_columns(const struct wn_options *options, const struct wn_trace *trace);

#endif /* WN_METRICS_DEFINE_H */
