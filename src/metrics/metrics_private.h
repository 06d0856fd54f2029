/* SPDX-License-Identifier: MIT */
/* metrics_private.h - the passes of wn_metrics_build(). Private to this folder. */
#pragma once

#include "metrics/metrics.h"

wn_status metrics_totals(struct wn_metrics *m, wn_err *err);
wn_status metrics_profile(struct wn_metrics *m, wn_err *err);

/* Sets the problem's bit if the value is on the bad side of its threshold; NAN never is. */
void metrics_judge_beyond(struct wn_metrics *m, wn_grain id, int p);

static inline void
metrics_judge(struct wn_metrics *m, wn_grain id, int p, double value)
{
	if (m->problem_types[p].is_below ? value < m->threshold[p] : value > m->threshold[p])
		metrics_judge_beyond(m, id, p);
}

/* Replaces the columns; the new ones start with the old ones. Columns of problems are moved
 * accordingly. */
void metrics_use_columns(struct wn_metrics *m, const struct wn_column *columns, size_t n);

/* define.c: parses a number as in expressions: 2, 1.5ms, 50%, -1. Returns false if it is
 * malformed. */
bool metrics_read_number(const char *text, size_t n_bytes, double *out);

/* user_metrics.c: adds the columns and problem types of options.metrics; finds a grain's problems
 * among them. */
wn_status metrics_user_add(struct wn_metrics *m, wn_err *err);
void metrics_user_judge(struct wn_metrics *m, wn_grain id);
void metrics_user_free(struct wn_user_metrics *user);
/* counted.c: adds the columns of counters, and their problem types. */
wn_status metrics_counted_add(struct wn_metrics *m, wn_err *err);
void metrics_counted_judge(struct wn_metrics *m, wn_grain id);
void metrics_counted_free(struct wn_counted_metrics *counted);
/* totals.c: twice the standard deviation of what recording has added to the grain's work; 0 without
 * a calibration. */
uint64_t metrics_resolution_ns(const struct wn_graph *g, wn_grain id);
/* off_cpu.c: adds the columns of time off the CPU, if the recording has switch records, and of
 * time added by recording, if it has a calibration. */
wn_status metrics_off_cpu_add(struct wn_metrics *m, wn_err *err);
/* scatter.c: the same for memory nodes; whether any grain is beyond the threshold. */
wn_status metrics_scatter_add(struct wn_metrics *m, wn_err *err);
bool metrics_scatter_is_far(const struct wn_metrics *m);
void metrics_scatter_judge(struct wn_metrics *m, wn_grain id);
void metrics_scatter_free(struct wn_scatter_metrics *scatter);
/* imported.c: adds the columns and problem types of an imported table; returns its value for a
 * built-in problem type (false: it has none); finds a grain's problems. */
wn_status metrics_imported_add(struct wn_metrics *m, wn_err *err);
bool metrics_imported_value(const struct wn_metrics *m, wn_grain id, int p, double *value);
void metrics_imported_judge(struct wn_metrics *m, wn_grain id);
void metrics_imported_free(struct wn_imported_metrics *imported);

/* Span as the R prototype computes it: reduced graph, a parent's whole work before its children. */
wn_status metrics_compat_span(const struct wn_graph *g, uint64_t *span_ns, wn_err *err);
