/* SPDX-License-Identifier: MIT */
/*
 * columns.h - the registry of named values of grains, shared by the exported table, expressions,
 * groups of grains and comparisons of runs.
 *
 * A column set starts with the built-in columns, in the order of the exported table; user-defined
 * metrics follow (m->columns). table/columns.h defines the built-in ones. NAN: not applicable or
 * not measured. For a column of whole numbers or flags `whole` returns the exact value, and
 * `value` the same as a double.
 */
#pragma once

#include "metrics/metrics.h"

struct wn_column {
	const char *name, *unit, *title; /* "work_ns", "ns" or "", "own user code" */
	enum wn_bad bad;
	enum wn_fold fold;
	int problem; /* -1, or an index into m->problem_types */
	double (*value)(const struct wn_column *self, const struct wn_metrics *m, wn_grain id);
	const void *data; /* of `value` */

	enum wn_column_type type;
	/* The exact number; false: missing. NULL for WN_COLUMN_RATIO. */
	bool (*whole)(const struct wn_metrics *m, wn_grain id, uint64_t *out);
	bool needs_whole_graph; /* missing for all grains of a lean graph */
};

/* The built-in columns: [*n], static. */
const struct wn_column *wn_builtin_columns(size_t *n);

/* Returns the column with a name of n_bytes characters, NULL if there is none. Names of built-in
 * columns need no metrics: m may be NULL. Cost O(columns). */
const struct wn_column *wn_column_find(const struct wn_metrics *m, const char *name,
                                       size_t n_bytes);

/* Cost O(1). Pure. */
static inline double
wn_column_value(const struct wn_column *c, const struct wn_metrics *m, wn_grain id)
{
	return c->value(c, m, id);
}
