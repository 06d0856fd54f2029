/* SPDX-License-Identifier: MIT */
/*
 * define.h - user-defined metrics: an expression over the columns of a grain, which direction is
 * bad, the threshold of a problem, and how groups of grains fold them.
 *
 * They come from options (--metric, --bad, --threshold, --propagate) or from a file with the same
 * words (winnow-metrics(5)). This module stores them as texts; wn_metrics_build() makes columns
 * and problem types of them.
 */
#pragma once

#include "metrics/columns.h"

#define WN_METRIC_DEFS_MAX 64

struct wn_metric_def {
	char *name, *text; /* the expression; both owned */
	enum wn_bad bad;
	enum wn_fold fold; /* WN_FOLD_N: follows from the bad direction */
	double threshold;  /* NAN: none */
	char *file;        /* owned; NULL = an option */
	uint32_t line,
	    column; /* where the expression begins, from 1; for an option only the column */
};

/* Initialise with zeros. */
struct wn_metric_defs {
	struct wn_metric_def *items;
	size_t n, capacity;
};

/* Returns how a metric is folded: as defined, else by its bad direction, else evaluated again. */
enum wn_fold wn_metric_fold(const struct wn_metric_def *def);

/* Attributes after the definition of a metric. */
enum wn_metric_attribute { WN_METRIC_BAD = 0, WN_METRIC_THRESHOLD, WN_METRIC_PROPAGATE };

/**
 * Adds a metric, "NAME = EXPR". wn_metric_defs_check() parses the expression later, when all
 * columns are known.
 *
 * @return WN_OK · WN_E_ARG (err->msg: the error and its column) · WN_E_NOMEM
 */
WN_MUST_CHECK wn_status wn_metric_defs_add(struct wn_metric_defs *defs, const char *text,
                                           wn_err *err);

/**
 * Sets an attribute of the last metric added: low, high or none; a number, with an optional unit;
 * sum, min, max, median, mean, any, again or none.
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
 * @param text     [n_bytes] its contents.
 * @param options  receives thresholds of built-in problem types.
 * @return WN_OK · WN_E_ARG (err->msg begins with FILE:LINE:COLUMN) · WN_E_NOMEM
 * Cost     O(n_bytes).
 */
WN_MUST_CHECK wn_status wn_metric_defs_read(struct wn_metric_defs *defs, const char *file,
                                            const char *text, size_t n_bytes,
                                            struct wn_options *options, wn_err *err);

/**
 * Verifies that the expressions can be evaluated, before there is a graph.
 *
 * @param knows_columns      false: a recording not yet opened may add columns of its own, so
 * unknown names are left to wn_metrics_build().
 * @param needs_whole_graph  set if one uses data that a lean graph lacks. May be NULL.
 * @return WN_OK · WN_E_ARG (err->msg: metric, column and reason) · WN_E_NOMEM
 * Cost     O(length of the expressions).
 */
WN_MUST_CHECK wn_status wn_metric_defs_check(const struct wn_metric_defs *defs, bool knows_columns,
                                             bool *needs_whole_graph, wn_err *err);

/* Returns the expression of a user-defined metric, one of the last m->n_user_columns of
 * m->columns: its names are indices into m->columns, or numbers of the run (metrics/scope.h). */
struct wn_expr;
const struct wn_expr *wn_metric_expression(const struct wn_metrics *m,
                                           const struct wn_column *column);

void wn_metric_defs_fini(struct wn_metric_defs *defs);

/* Returns whether a recording has only the built-in columns: false for imported tables, and with
 * memory nodes, counters, or counters from another run. */
bool wn_metric_knows_columns(const struct wn_options *options, const struct wn_trace *trace);
