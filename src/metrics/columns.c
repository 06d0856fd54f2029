/* SPDX-License-Identifier: MIT */
/* columns.c - computes the columns of table/columns.def from the graph. */
#include "metrics/columns.h"

#include "metrics/fill.h"

#include <math.h>
#include <string.h>

#define IN(which)  WN_INPUT(which)
#define HAS(which) (row.has[WN_IN_##which])
#define OF(which)  (row.value[WN_IN_##which])

#define WN_TABLE_WHOLE(name, unit, fold, lean, inputs, is_known, number, title, sentence)          \
	static bool whole_##name(const struct wn_metrics *m, wn_grain id, uint64_t *out)           \
	{                                                                                          \
		struct wn_grain_row row;                                                           \
		metrics_fill(&row, m, id, inputs);                                                 \
		*out = (number);                                                                   \
		return (is_known);                                                                 \
	}
#define WN_TABLE_FLAG(name, fold, INPUT, is_set, title, sentence)                                  \
	WN_TABLE_WHOLE(name, "", fold, KEPT, IN(INPUT), HAS(INPUT), is_set, title, sentence)
#include "table/columns.def"

static double
value_of_whole(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	uint64_t n;
	return self->whole(m, id, &n) ? (double)n : (double)NAN;
}

static double
value_of_problem(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	return wn_problem_value(m, id, self->problem);
}

#define KEPT  false
#define WHOLE true
#define WN_TABLE_WHOLE(name, unit, fold, lean, inputs, is_known, number, title, sentence)          \
	{#name, unit,           title, WN_BAD_NONE,     WN_FOLD_##fold,                            \
	 -1,    value_of_whole, NULL,  WN_COLUMN_WHOLE, whole_##name,                              \
	 lean},
#define WN_TABLE_FLAG(name, fold, INPUT, is_set, title, sentence)                                  \
	{#name,          "",   title,          WN_BAD_NONE,  WN_FOLD_##fold, -1,                   \
	 value_of_whole, NULL, WN_COLUMN_FLAG, whole_##name, false},
#define WN_TABLE_RATIO(name, bad, fold, lean, problem, inputs, formula, title, sentence)           \
	{#name,                                                                                    \
	 "",                                                                                       \
	 title,                                                                                    \
	 WN_BAD_##bad,                                                                             \
	 WN_FOLD_##fold,                                                                           \
	 WN_PROBLEM_##problem,                                                                     \
	 value_of_problem,                                                                         \
	 NULL,                                                                                     \
	 WN_COLUMN_RATIO,                                                                          \
	 NULL,                                                                                     \
	 lean},
static const struct wn_column builtin[WN_COLUMN_DEFS_N] = {
#include "table/columns.def"
};

const struct wn_column *
wn_builtin_columns(size_t *n)
{
	*n = WN_COLUMN_DEFS_N;
	return builtin;
}

static const struct wn_column *
find_in(const struct wn_column *columns, size_t n, const char *name, size_t n_bytes)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(columns[i].name, name, n_bytes) == 0 &&
		    columns[i].name[n_bytes] == '\0')
			return &columns[i];
	return NULL;
}

const struct wn_column *
wn_column_find(const struct wn_metrics *m, const char *name, size_t n_bytes)
{
	if (m)
		return find_in(m->columns, m->n_columns, name, n_bytes);
	return find_in(builtin, WN_COLUMN_DEFS_N, name, n_bytes);
}
