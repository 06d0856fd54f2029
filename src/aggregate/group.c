/* SPDX-License-Identifier: MIT */
/* group.c - evaluates expressions on nodes. Each name used becomes a column over nodes, computed
 * once; user-defined metrics are computed in the order of their definitions, since each uses
 * earlier ones only. */
#include "aggregate/group.h"

#include "aggregate/propagate.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "metrics/define.h"
#include "metrics/scope.h"

#include <math.h>
#include <string.h>

#define GROUP_KIND 100 /* `kind` of a group is this plus enum wn_tree_kind: no kind of a grain */

/* --- columns over nodes --- */

struct nodes {
	const struct wn_tree *t;
	const struct wn_metrics *m;
	double **columns; /* [n_slots()] of [t->n]; NULL: not made yet */
};

static bool
is_user_metric(const struct wn_metrics *m, uint32_t index)
{
	return index < m->n_columns && index >= m->n_columns - m->n_user_columns;
}

/* Columns, problem types. */
static size_t
n_slots(const struct wn_metrics *m)
{
	return m->n_columns + WN_PROBLEMS_MAX;
}

static size_t
slot(const struct nodes *nodes, uint32_t index)
{
	int problem = wn_scope_problem(index);
	return problem >= 0 ? nodes->m->n_columns + (size_t)problem : index;
}

/* The value for grains, missing for groups; `kind` for every node. */
static void
put_unfolded(const struct wn_tree *t, const struct wn_metrics *m, const struct wn_column *c,
             double *out)
{
	bool is_kind = strcmp(c->name, "kind") == 0;
	for (wn_tree_node i = 0; i < t->n; i++)
		out[i] = t->kind[i] == WN_TREE_GRAIN ? wn_column_value(c, m, t->ref[i])
		         : is_kind                   ? GROUP_KIND + (double)t->kind[i]
		                                     : (double)NAN;
}

wn_status
wn_group_column(const struct wn_tree *t, const struct wn_metrics *m, const struct wn_column *column,
                double *out, wn_err *err)
{
	if (column->fold != WN_FOLD_NONE)
		return wn_tree_column(t, m, column, out, err);
	put_unfolded(t, m, column, out);
	return WN_OK;
}

struct from_scope {
	const struct wn_metrics *m;
	uint32_t index;
};

static double
value_in_scope(void *user, wn_grain id)
{
	const struct from_scope *from = user;
	return wn_scope_value(from->m, id, from->index);
}

/* Whether anything inside has the problem. */
static wn_status
make_problem(const struct nodes *nodes, uint32_t index, double *out, wn_err *err)
{
	struct from_scope from = {nodes->m, index};
	return wn_tree_propagate(nodes->t, WN_FOLD_ANY, value_in_scope, &from, out, err);
}

/* Computes a column that depends on no other: all except metrics with WN_FOLD_AGAIN. */
static wn_status
make(struct nodes *nodes, uint32_t index, wn_err *err)
{
	double **column = &nodes->columns[slot(nodes, index)];
	if (*column)
		return WN_OK;
	*column = wn_calloc(nodes->t->n, sizeof **column);
	if (!*column)
		return wn_no_memory_for(err, nodes->t->n, "nodes");
	if (wn_scope_problem(index) >= 0)
		return make_problem(nodes, index, *column, err);
	return wn_group_column(nodes->t, nodes->m, &nodes->m->columns[index], *column, err);
}

struct pass {
	const struct nodes *nodes;
	const struct wn_expr *e;
	double *out;
};

#define RANGE_NODES 65536u

static void
evaluate_range(void *user, size_t range)
{
	const struct pass *p = user;
	const struct wn_tree *t = p->nodes->t;
	const struct wn_metrics *m = p->nodes->m;
	const double *columns[WN_EXPR_NAMES_MAX];
	double values[WN_EXPR_NAMES_MAX];
	size_t from = range * RANGE_NODES, to = from + RANGE_NODES;
	for (unsigned k = 0; k < p->e->n_names; k++) {
		uint32_t index = p->e->names[k];
		bool is_of_run = wn_scope_is_of_run(index);
		columns[k] = is_of_run ? NULL : p->nodes->columns[slot(p->nodes, index)];
		values[k] = is_of_run ? wn_scope_value(m, 0, index) : 0;
	}
	for (size_t i = from; i < to && i < t->n; i++) {
		for (unsigned k = 0; k < p->e->n_names; k++)
			if (columns[k])
				values[k] = columns[k][i];
		p->out[i] = wn_expr_eval(p->e, values, NULL);
	}
}

static void
evaluate(const struct nodes *nodes, const struct wn_expr *e, double *out)
{
	struct pass p = {nodes, e, out};
	wn_parallel(nodes->t->n_threads, (nodes->t->n + RANGE_NODES - 1) / RANGE_NODES,
	            evaluate_range, &p);
}

/* --- metrics evaluated again on groups --- */

static const struct wn_expr *
expression_again(const struct wn_metrics *m, uint32_t index)
{
	return is_user_metric(m, index) && m->columns[index].fold == WN_FOLD_AGAIN
	           ? wn_metric_expression(m, &m->columns[index])
	           : NULL;
}

static wn_status
make_names(struct nodes *nodes, const struct wn_expr *e, wn_err *err)
{
	wn_status st = WN_OK;
	for (unsigned i = 0; st == WN_OK && i < e->n_names; i++)
		if (!wn_scope_is_of_run(e->names[i]) && !expression_again(nodes->m, e->names[i]))
			st = make(nodes, e->names[i], err);
	return st;
}

/* Sets the bits of the metrics among the names that have WN_FOLD_AGAIN. */
static void
want(const struct wn_metrics *m, const struct wn_expr *e, uint64_t *wanted)
{
	for (unsigned i = 0; i < e->n_names; i++)
		if (expression_again(m, e->names[i]))
			*wanted |= UINT64_C(1)
			           << (e->names[i] - (m->n_columns - m->n_user_columns));
}

/* Computes all columns that an expression uses, directly or through metrics with WN_FOLD_AGAIN. */
static wn_status
make_all(struct nodes *nodes, const struct wn_expr *e, wn_err *err)
{
	const struct wn_metrics *m = nodes->m;
	const uint32_t first = (uint32_t)(m->n_columns - m->n_user_columns);
	uint64_t wanted = 0;
	wn_status st;
	WN_TRY(make_names(nodes, e, err));
	want(m, e, &wanted);
	/* a metric uses earlier ones only */
	for (size_t k = m->n_user_columns; k-- > 0;)
		if (wanted >> k & 1)
			want(m, expression_again(m, first + (uint32_t)k), &wanted);
	for (uint32_t k = 0; k < m->n_user_columns; k++) {
		const struct wn_expr *again = expression_again(m, first + k);
		double **column = &nodes->columns[first + k];
		if (!(wanted >> k & 1))
			continue;
		WN_TRY(make_names(nodes, again, err));
		*column = wn_calloc(nodes->t->n, sizeof **column);
		if (!*column)
			WN_TRY(wn_no_memory_for(err, nodes->t->n, "nodes"));
		evaluate(nodes, again, *column);
	}
out:
	return st;
}

wn_status
wn_group_evaluate(const struct wn_tree *t, const struct wn_metrics *m, const struct wn_expr *e,
                  double *out, wn_err *err)
{
	struct nodes nodes = {t, m, wn_calloc(n_slots(m), sizeof *nodes.columns)};
	wn_status st;
	if (!nodes.columns)
		return wn_no_memory(err);
	WN_TRY(make_all(&nodes, e, err));
	evaluate(&nodes, e, out);
out:
	for (size_t i = 0; i < n_slots(m); i++)
		wn_free(nodes.columns[i]);
	wn_free(nodes.columns);
	return st;
}

wn_status
wn_group_again(const struct wn_tree *t, const struct wn_metrics *m, const struct wn_column *column,
               double *out, wn_err *err)
{
	return wn_group_evaluate(t, m, wn_metric_expression(m, column), out, err);
}
