/* SPDX-License-Identifier: MIT */
/* propagate.c - computes values of all nodes of a tree. Values of grains are computed on several
 * threads; a single pass folds them (table/fold.h), so that rounding does not depend on the number
 * of threads. */
#include "aggregate/propagate.h"

#include "aggregate/group.h"
#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/parallel.h"
#include "table/fold.h"
#include "table/values.h"

#include <math.h>

#define RANGE_NODES 65536u

struct pass {
	const struct wn_tree *t;
	enum wn_fold rule;
	wn_tree_value_fn *value;
	void *user;
	double *out;
};

static void
evaluate_range(void *user, size_t range)
{
	const struct pass *p = user;
	const struct wn_tree *t = p->t;
	size_t from = range * RANGE_NODES, to = from + RANGE_NODES;
	for (size_t i = from; i < to && i < t->n; i++)
		if (t->kind[i] == WN_TREE_GRAIN)
			p->out[i] = wn_fold_of_grain(p->rule, p->value(p->user, t->ref[i]));
}

/* Closes the groups that end before a node; sets *end to the end of the innermost open one. */
static bool
close_before(struct wn_folder *f, wn_tree_node node, double *out, wn_tree_node *end)
{
	const struct wn_fold_level *level = NULL;
	while ((level = wn_folder_innermost(f)) && level->end <= node)
		if (!wn_folder_close(f, &out[level->node]))
			return false;
	*end = level ? level->end : WN_NO_TREE_NODE;
	return true;
}

static bool
fold(const struct pass *p)
{
	const struct wn_tree *t = p->t;
	struct wn_folder *f = wn_folder_new(&p->rule, 1);
	wn_tree_node end = WN_NO_TREE_NODE;
	bool is_fine = f != NULL;
	for (wn_tree_node i = 0; is_fine && i < t->n; i++) {
		is_fine = i < end || close_before(f, i, p->out, &end);
		if (is_fine && t->kind[i] == WN_TREE_GRAIN) {
			is_fine = wn_folder_add(f, 0, p->out[i]);
		} else if (is_fine) {
			is_fine = wn_folder_open(f, i, t->end[i], t->kind[i]);
			end = t->end[i];
		}
	}
	is_fine = is_fine && close_before(f, t->n, p->out, &end);
	wn_folder_free(f);
	return is_fine;
}

wn_status
wn_tree_propagate(const struct wn_tree *t, enum wn_fold rule, wn_tree_value_fn *value, void *user,
                  double *out, wn_err *err)
{
	struct pass p = {t, rule, value, user, out};
	if (rule == WN_FOLD_NONE || rule >= WN_FOLD_AGAIN)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "such values are not folded");
	wn_parallel(t->n_threads, (t->n + RANGE_NODES - 1) / RANGE_NODES, evaluate_range, &p);
	if (!fold(&p))
		return wn_no_memory_for(err, t->n, "nodes");
	return WN_OK;
}

struct from_column {
	const struct wn_metrics *m;
	const struct wn_column *column;
};

static double
value_of_column(void *user, wn_grain id)
{
	const struct from_column *from = user;
	return wn_column_value(from->column, from->m, id);
}

wn_status
wn_tree_column(const struct wn_tree *t, const struct wn_metrics *m, const struct wn_column *column,
               double *out, wn_err *err)
{
	struct from_column from = {m, column};
	if (column->fold == WN_FOLD_AGAIN)
		return wn_group_again(t, m, column, out, err);
	return wn_tree_propagate(t, column->fold, value_of_column, &from, out, err);
}

struct count {
	const struct wn_tree *t;
	uint32_t *out;
};

static void
count_up(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	const struct count *c = user;
	for (wn_tree_node i = to; i-- > from;) {
		uint32_t n = c->t->kind[i] == WN_TREE_GRAIN;
		if (c->t->end[i] > limit)
			continue;
		for (wn_tree_node m = i + 1; m < c->t->end[i]; m = c->t->end[m])
			n += c->out[m];
		c->out[i] = n;
	}
}

void
wn_tree_count_grains(const struct wn_tree *t, uint32_t *out)
{
	struct count c = {t, out};
	tree_sweep_up(t, count_up, &c);
}

wn_status
wn_tree_spread_of(const struct wn_tree *t, wn_tree_node group, const double *values,
                  struct wn_tree_spread *out, wn_err *err)
{
	struct wn_values v;
	wn_values_init(&v, t->n_children[group]);
	for (wn_tree_node c = group + 1; c < t->end[group]; c = t->end[c])
		if (!isnan(values[c]))
			wn_values_add(&v, wn_value_key(values[c]));
	wn_values_sort(&v);
	if (v.is_out_of_memory) {
		wn_values_fini(&v);
		return wn_no_memory_for(err, t->n_children[group], "members");
	}
	*out = (struct wn_tree_spread){(uint32_t)v.n, NAN, NAN, NAN, NAN, NAN};
	if (v.n) {
		out->min = wn_values_quantile(&v, 0);
		out->quartile1 = wn_values_quantile(&v, 0.25);
		out->median = wn_values_quantile(&v, 0.5);
		out->quartile3 = wn_values_quantile(&v, 0.75);
		out->max = wn_values_quantile(&v, 1);
	}
	wn_values_fini(&v);
	return WN_OK;
}
