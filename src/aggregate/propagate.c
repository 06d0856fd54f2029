/* SPDX-License-Identifier: MIT */
/*
 * propagate.c - one sweep from the leaves up; a group's value is made of its members' values, taken
 * in order, so that rounding does not depend on threads.
 */
#include "aggregate/propagate.h"

#include "aggregate/group.h"
#include "aggregate/sort.h"
#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdatomic.h>

struct pass {
	const struct wn_tree *t;
	enum wn_fold rule;
	wn_tree_value_fn *value;
	void *user;
	double *out;
	uint32_t *n_inside;           /* of means: grains with a value */
	atomic_bool is_out_of_memory; /* only ever set; read when all threads have been joined */
};

/* From no value at all to that of a group; a member's value is no NAN. */
static double
start_of(enum wn_fold rule)
{
	return rule == WN_FOLD_MIN ? INFINITY : rule == WN_FOLD_MAX ? -INFINITY : 0;
}

static double
add(enum wn_fold rule, double sum, double value)
{
	if (rule == WN_FOLD_MIN)
		return value < sum ? value : sum;
	if (rule == WN_FOLD_MAX)
		return value > sum ? value : sum;
	if (rule == WN_FOLD_ANY)
		return sum != 0 || value != 0;
	return sum + value;
}

static double
plain_value(const struct pass *p, wn_tree_node group)
{
	double sum = start_of(p->rule);
	bool has_value = false;
	for (wn_tree_node c = group + 1; c < p->t->end[group]; c = p->t->end[c]) {
		double value = p->out[c];
		if (isnan(value))
			continue;
		has_value = true;
		sum = add(p->rule, sum, value);
	}
	return has_value ? sum : (double)NAN;
}

/* Sums on the way up; they are divided when all are there. */
static double
sum_for_mean(const struct pass *p, wn_tree_node group)
{
	double sum = 0;
	uint32_t n = 0;
	for (wn_tree_node c = group + 1; c < p->t->end[group]; c = p->t->end[c]) {
		n += p->n_inside[c];
		if (p->n_inside[c])
			sum += p->out[c];
	}
	p->n_inside[group] = n;
	return sum;
}

static double
median(struct pass *p, wn_tree_node group)
{
	struct tree_values v;
	double result = NAN;
	tree_values_init(&v, p->t->n_children[group]);
	for (wn_tree_node c = group + 1; c < p->t->end[group]; c = p->t->end[c])
		if (!isnan(p->out[c]))
			tree_values_add(&v, tree_key_of(p->out[c]));
	tree_values_sort(&v);
	if (v.is_out_of_memory)
		atomic_store_explicit(&p->is_out_of_memory, true, memory_order_relaxed);
	else if (v.n)
		result = tree_values_quantile(&v, 0.5);
	tree_values_fini(&v);
	return result;
}

static void
go_up(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	struct pass *p = user;
	const struct wn_tree *t = p->t;
	for (wn_tree_node i = to; i-- > from;) {
		if (t->end[i] > limit)
			continue;
		if (t->kind[i] == WN_TREE_GRAIN) {
			double value = p->value(p->user, t->ref[i]);
			if (p->n_inside)
				p->n_inside[i] = isnan(value) ? 0u : 1u;
			p->out[i] = p->rule == WN_FOLD_ANY && !isnan(value) ? value != 0 : value;
		} else if (p->rule == WN_FOLD_MEDIAN) {
			p->out[i] = median(p, i);
		} else if (p->rule == WN_FOLD_MEAN) {
			p->out[i] = sum_for_mean(p, i);
		} else {
			p->out[i] = plain_value(p, i);
		}
	}
}

static void
divide(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	struct pass *p = user;
	for (wn_tree_node i = to; i-- > from;) {
		if (p->t->end[i] > limit || p->t->kind[i] == WN_TREE_GRAIN)
			continue;
		p->out[i] = p->n_inside[i] ? p->out[i] / p->n_inside[i] : (double)NAN;
	}
}

wn_status
wn_tree_propagate(const struct wn_tree *t, enum wn_fold rule, wn_tree_value_fn *value, void *user,
                  double *out, wn_err *err)
{
	struct pass p = {.t = t, .rule = rule, .value = value, .user = user, .out = out};
	if (rule == WN_FOLD_NONE || rule >= WN_FOLD_AGAIN)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "such values are not folded");
	if (rule == WN_FOLD_MEAN && !(p.n_inside = wn_calloc(t->n, sizeof *p.n_inside)))
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory for %u nodes", t->n);
	tree_sweep_up(t, go_up, &p);
	if (rule == WN_FOLD_MEAN)
		tree_sweep_up(t, divide, &p);
	wn_free(p.n_inside);
	if (atomic_load_explicit(&p.is_out_of_memory, memory_order_relaxed))
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory for %u nodes", t->n);
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
	struct tree_values v;
	tree_values_init(&v, t->n_children[group]);
	for (wn_tree_node c = group + 1; c < t->end[group]; c = t->end[c])
		if (!isnan(values[c]))
			tree_values_add(&v, tree_key_of(values[c]));
	tree_values_sort(&v);
	if (v.is_out_of_memory) {
		tree_values_fini(&v);
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory for %u members",
		               t->n_children[group]);
	}
	*out = (struct wn_tree_spread){(uint32_t)v.n, NAN, NAN, NAN, NAN, NAN};
	if (v.n) {
		out->min = tree_values_quantile(&v, 0);
		out->quartile1 = tree_values_quantile(&v, 0.25);
		out->median = tree_values_quantile(&v, 0.5);
		out->quartile3 = tree_values_quantile(&v, 0.75);
		out->max = tree_values_quantile(&v, 1);
	}
	tree_values_fini(&v);
	return WN_OK;
}
