/* SPDX-License-Identifier: MIT */
/*
 * group.c - evaluates expressions on nodes. Each name used becomes a column over nodes, computed
 * once; user-defined metrics are computed in the order of their definitions, since each uses
 * earlier ones only.
 */
#include "aggregate/group.h"

#include "aggregate/propagate.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "metrics/define.h"
#include "metrics/scope.h"

#include <math.h>
#include <string.h>

/* --- names --- */

enum tree_name {
	NAME_N_GRAINS = 0,
	NAME_N_CHILDREN,
	NAME_N_MEMBERS,
	NAME_DEPTH,
	NAME_THETA,
	NAME_IS_GROUP,
	NAME_IS_CRITICAL,
	NAME_IS_MARKED,
	NAME_N
};

static const char *const tree_names[NAME_N] = {
    [NAME_N_GRAINS] = "n_grains",
    [NAME_N_CHILDREN] = "n_children",
    [NAME_N_MEMBERS] = "n_members",
    [NAME_DEPTH] = "depth",
    [NAME_THETA] = "theta",
    [NAME_IS_GROUP] = "is_group",
    [NAME_IS_CRITICAL] = "is_critical",
    [NAME_IS_MARKED] = "is_marked",
};
#define TREE_NAME  (UINT32_C(1) << 29) /* the index of the first one */
#define GROUP_KIND 100 /* value of `kind` for a group: this plus enum wn_tree_kind */

static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	const struct wn_scope scope = wn_scope_of(user);
	const struct wn_expr_names grains = wn_scope_names(&scope);
	for (uint32_t k = 0; k < NAME_N; k++)
		if (strlen(tree_names[k]) == n && memcmp(tree_names[k], name, n) == 0) {
			*index = TREE_NAME + k;
			return true;
		}
	return grains.find(grains.user, name, n, index);
}

static const char *
list(const void *user, size_t k)
{
	const struct wn_scope scope = wn_scope_of(user);
	const struct wn_expr_names grains = wn_scope_names(&scope);
	if (k < NAME_N)
		return tree_names[k];
	return grains.list(grains.user, k - NAME_N);
}

static const char *
word(const void *user, uint32_t index, size_t k, double *number)
{
	static const struct {
		const char *name;
		enum wn_tree_kind kind;
	} words[] = {{"linear", WN_TREE_LINEAR},
	             {"fork_join", WN_TREE_FORK_JOIN},
	             {"sibling", WN_TREE_SIBLING},
	             {"siblings", WN_TREE_SIBLING}, /* as `winnow tree` names it */
	             {"alike", WN_TREE_ALIKE}};
	const size_t n = sizeof words / sizeof *words;
	const struct wn_scope scope = wn_scope_of(user);
	const struct wn_expr_names grains = wn_scope_names(&scope);
	const char *found = grains.word(grains.user, index, 0, number);
	if (!found)
		return NULL; /* not `kind` */
	if (k >= n)
		return grains.word(grains.user, index, k - n, number);
	*number = GROUP_KIND + (double)words[k].kind;
	return words[k].name;
}

struct wn_expr_names
wn_group_names(const struct wn_metrics *m)
{
	return (struct wn_expr_names){find, list, word, m};
}

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

/* Columns, names of trees, problem types. */
static size_t
n_slots(const struct wn_metrics *m)
{
	return m->n_columns + NAME_N + WN_PROBLEMS_MAX;
}

static size_t
slot(const struct nodes *nodes, uint32_t index)
{
	int problem = wn_scope_problem(index);
	if (problem >= 0)
		return nodes->m->n_columns + NAME_N + (size_t)problem;
	return index >= TREE_NAME ? nodes->m->n_columns + (index - TREE_NAME) : index;
}

static wn_status
make_depth(const struct wn_tree *t, double *out)
{
	for (wn_tree_node i = 0; i < t->n; i++)
		out[i] = t->parent[i] == WN_NO_TREE_NODE ? 0 : out[t->parent[i]] + 1;
	return WN_OK;
}

static wn_status
make_n_grains(const struct wn_tree *t, double *out, wn_err *err)
{
	uint32_t *n = wn_calloc(t->n, sizeof *n);
	if (!n)
		return wn_no_memory_for(err, t->n, "nodes");
	wn_tree_count_grains(t, n);
	for (wn_tree_node i = 0; i < t->n; i++)
		out[i] = n[i];
	wn_free(n);
	return WN_OK;
}

static wn_status
make_tree_name(const struct wn_tree *t, enum tree_name name, double *out, wn_err *err)
{
	if (name == NAME_DEPTH)
		return make_depth(t, out);
	if (name == NAME_N_GRAINS)
		return make_n_grains(t, out, err);
	for (wn_tree_node i = 0; i < t->n; i++)
		out[i] = name == NAME_THETA         ? t->theta[i]
		         : name == NAME_IS_GROUP    ? t->kind[i] != WN_TREE_GRAIN
		         : name == NAME_IS_CRITICAL ? (t->flags[i] & WN_TF_CRITICAL) != 0
		         : name == NAME_IS_MARKED   ? (t->flags[i] & WN_TF_PROBLEM) != 0
		                                    : t->n_children[i];
	return WN_OK;
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
	if (index >= TREE_NAME)
		return make_tree_name(nodes->t, (enum tree_name)(index - TREE_NAME), *column, err);
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
		if (!*column) {
			st = wn_no_memory_for(err, nodes->t->n, "nodes");
			goto out;
		}
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
