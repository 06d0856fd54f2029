/* SPDX-License-Identifier: MIT */
/*
 * columns.h - the registry of named values of grains: one vocabulary for the table that is
 * exported, for expressions, for groups of grains, for comparing runs.
 *
 * A column set starts with the built-in columns, in the order of the exported table; metrics that
 * the user defines follow (m->columns). NAN: it does not apply, or was not measured. A column of
 * whole numbers or flags tells them exactly (`whole`); its `value` is the same as a double.
 */
#ifndef WN_METRICS_COLUMNS_H
#define WN_METRICS_COLUMNS_H

#include "metrics/metrics.h"

/* Which values are bad. */
enum wn_bad { WN_BAD_NONE = 0, WN_BAD_LOW, WN_BAD_HIGH };

/* The value of a group, from those of its members; missing ones do not count. */
enum wn_fold {
	WN_FOLD_NONE = 0, /* a group has no such value */
	WN_FOLD_SUM,
	WN_FOLD_MIN,
	WN_FOLD_MAX,
	WN_FOLD_MEDIAN,
	WN_FOLD_MEAN,
	WN_FOLD_ANY,   /* 1 if a member's is not 0 */
	WN_FOLD_AGAIN, /* the expression, evaluated again on the group's columns */
	WN_FOLD_N
};

enum wn_column_type {
	WN_COLUMN_RATIO = 0, /* any number */
	WN_COLUMN_WHOLE,     /* a whole number: a time, a count, a number that names something */
	WN_COLUMN_FLAG       /* 0 or 1 */
};

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
	bool needs_whole_graph; /* missing everywhere in metrics of a lean graph */
};

/* The built-in columns: [*n], static. */
const struct wn_column *wn_builtin_columns(size_t *n);

/* The column of a name of n_bytes characters, NULL if there is none. Of a built-in column the name
 * is known without metrics: m may be NULL. Cost O(columns). */
const struct wn_column *wn_column_find(const struct wn_metrics *m, const char *name,
                                       size_t n_bytes);

/* Has the table of grains a column of that name, whatever was counted? A built-in one, one of its
 * texts, such as "line", or of memory nodes; then nothing else may be called so. Cost O(columns).
 * Pure. */
bool wn_column_is_taken(const char *name, size_t n_bytes);

/* Cost O(1). Pure. */
static inline double
wn_column_value(const struct wn_column *c, const struct wn_metrics *m, wn_grain id)
{
	return c->value(c, m, id);
}

/* "sum", "min", ..., "again"; "none". Of a name: false if it is none of them. */
const char *wn_fold_name(enum wn_fold fold);
bool wn_fold_named(const char *name, size_t n_bytes, enum wn_fold *out);

/* "none", "low", "high". */
const char *wn_bad_name(enum wn_bad bad);
bool wn_bad_named(const char *name, size_t n_bytes, enum wn_bad *out);

#endif /* WN_METRICS_COLUMNS_H */
