/* SPDX-License-Identifier: MIT */
/* nested_find.c - computes the attributes of a folded graph's nodes: positions among siblings,
 * columns folded over groups, steps of a colour ramp, and a local critical path. */
#include "export/nested_private.h"

#include "aggregate/hash.h"
#include "aggregate/propagate.h"
#include "aggregate/unfold.h"
#include "base/error.h"
#include "base/mem.h"
#include "metrics/columns.h"

#include <math.h>
#include <string.h>

#define STEPS 10

/* Columns written elsewhere: as text, or under keys of their own. */
static bool
has_own_column(const struct wn_column *c)
{
	return strcmp(c->name, "kind") == 0 || strcmp(c->name, "id") == 0 ||
	       strcmp(c->name, "is_problem") == 0;
}

static wn_status
fold_column(struct nested *d, size_t i, double *values)
{
	size_t n_groups = d->t->n - d->t->n_of_kind[WN_TREE_GRAIN];
	if (d->columns[i]->fold == WN_FOLD_NONE)
		return WN_OK;
	wn_status st = wn_tree_column(d->t, d->m, d->columns[i], values, d->err);
	if (st != WN_OK)
		return st;
	d->folded[i] = wn_calloc(n_groups, sizeof *d->folded[i]);
	if (!d->folded[i])
		return wn_no_memory(d->err);
	for (wn_tree_node n = 0; n < d->t->n; n++)
		if (d->t->kind[n] != WN_TREE_GRAIN)
			d->folded[i][d->group[n]] = values[n];
	return WN_OK;
}

static wn_status
fold_columns(struct nested *d)
{
	wn_status st = WN_OK;
	double *values = wn_calloc(d->t->n, sizeof *values);
	d->columns = wn_calloc(d->m->n_columns, sizeof *d->columns);
	d->folded = wn_calloc(d->m->n_columns, sizeof *d->folded);
	if (!values || !d->columns || !d->folded)
		WN_TRY(wn_no_memory(d->err));
	for (size_t i = 0; i < d->m->n_columns; i++)
		if (!has_own_column(&d->m->columns[i]))
			d->columns[d->n_columns++] = &d->m->columns[i];
	for (size_t i = 0; i < d->n_columns; i++)
		WN_TRY(fold_column(d, i, values));
out:
	wn_free(values);
	return st;
}

/* Numbers nodes within groups: a fork-join's fork and join come first. */
static wn_status
number_nodes(struct nested *d)
{
	const struct wn_tree *t = d->t;
	uint32_t n_groups = 0;
	size_t n = t->n;
	d->place = wn_calloc(n, sizeof *d->place);
	d->n_grains = wn_calloc(n, sizeof *d->n_grains);
	d->gid = wn_calloc(n, sizeof *d->gid);
	d->group = wn_calloc(n, sizeof *d->group);
	d->of_grain = wn_calloc(d->g->n, sizeof *d->of_grain);
	d->of_fj = wn_calloc(d->g->n_fjs, sizeof *d->of_fj);
	if (!d->place || !d->n_grains || !d->gid || !d->group || !d->of_grain || !d->of_fj)
		return wn_no_memory(d->err);
	for (wn_tree_node i = 0; i < t->n; i++) {
		uint32_t place = t->kind[i] == WN_TREE_FORK_JOIN ? 2 : 0;
		for (wn_tree_node c = wn_tree_first(t, i); c != WN_NO_TREE_NODE;
		     c = wn_tree_next(t, c))
			d->place[c] = place++;
		if (t->kind[i] == WN_TREE_GRAIN)
			d->of_grain[t->ref[i]] = i;
		else
			d->group[i] = n_groups++;
		if (t->kind[i] == WN_TREE_FORK_JOIN)
			d->of_fj[t->ref[i]] = i;
	}
	wn_tree_count_grains(t, d->n_grains);
	return wn_tree_gids(t, d->gid, d->err);
}

/* Computes the steps of the ramp from the values of the problem grains. */
static void
find_steps(struct nested *d)
{
	double least = INFINITY, most = -INFINITY;
	for (wn_grain id = 0; id < d->g->n; id++) {
		if (!wn_is_drawn(d->g, id) || !nested_is_problematic(d, id))
			continue;
		double value = wn_problem_value(d->m, id, d->given->view);
		if (!isfinite(value))
			continue;
		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	d->steps = wn_steps_of(isfinite(least) ? least : 0.0, isfinite(most) ? most : 0.0, STEPS);
}

bool
wn_nested_is_measured(const struct wn_metrics *m, int p)
{
	for (wn_grain id = 0; id < m->g->n; id++)
		if (wn_is_drawn(m->g, id) && !isnan(wn_problem_value(m, id, p)))
			return true;
	return false;
}

/* Computes ends and hops from the members up, depths from the group down. */
static wn_status
find_local(struct nested *d, const char *id, const struct wn_tree *whole)
{
	const struct wn_tree *t = d->t;
	wn_tree_node group;
	wn_status st = wn_unfold_find(t, whole, id, &group, d->err);
	if (st == WN_OK)
		st = wn_local_path_init(&d->local, t, group, d->err);
	if (st != WN_OK)
		return st;
	d->end_ns = wn_calloc(d->local.n, sizeof *d->end_ns);
	d->n_hops = wn_calloc(d->local.n, sizeof *d->n_hops);
	d->depth = wn_calloc(d->local.n, sizeof *d->depth);
	if (!d->end_ns || !d->n_hops || !d->depth)
		return wn_no_memory(d->err);
	for (uint32_t i = d->local.n; i-- > 0;) {
		wn_tree_node node = group + i;
		if (t->kind[node] == WN_TREE_GRAIN)
			d->end_ns[i] = d->local.root_dist_ns[i] + wn_work_ns(d->g, t->ref[node]);
		d->n_hops[i] += t->kind[node] == WN_TREE_GRAIN       ? 1
		                : t->kind[node] == WN_TREE_FORK_JOIN ? 2
		                                                     : 0;
		if (i == 0)
			break;
		uint32_t up = t->parent[node] - group;
		bool is_chain = t->kind[t->parent[node]] == WN_TREE_LINEAR;
		d->end_ns[up] = d->end_ns[i] > d->end_ns[up] ? d->end_ns[i] : d->end_ns[up];
		if (is_chain)
			d->n_hops[up] += d->n_hops[i];
		else
			d->n_hops[up] = d->n_hops[i] > d->n_hops[up] ? d->n_hops[i] : d->n_hops[up];
	}
	for (uint32_t i = 0; i < d->local.n; i++) {
		wn_tree_node node = group + i;
		uint32_t depth = d->depth[i] + (t->kind[node] == WN_TREE_FORK_JOIN);
		for (wn_tree_node c = wn_tree_first(t, node); c != WN_NO_TREE_NODE;
		     c = wn_tree_next(t, c)) {
			d->depth[c - group] = depth;
			depth += t->kind[node] == WN_TREE_LINEAR ? d->n_hops[c - group] : 0;
		}
	}
	return WN_OK;
}

wn_status
nested_find(struct nested *d, const struct wn_tree *whole)
{
	wn_status st = WN_OK;
	if (nested_is_pale(d))
		find_steps(d);
	if (d->given->local)
		WN_TRY(find_local(d, d->given->local, whole));
	WN_TRY(wn_layout_new(d->x, NULL, &d->layout, d->err));
	WN_TRY(number_nodes(d));
	WN_TRY(fold_columns(d));
out:
	return st;
}

void
nested_fini(struct nested *d)
{
	for (size_t i = 0; i < d->n_columns; i++)
		wn_free(d->folded[i]);
	wn_layout_free(d->layout);
	wn_local_path_fini(&d->local);
	WN_FREE_ALL(d->end_ns, d->n_hops, d->depth, d->folded, d->columns, d->place, d->n_grains,
	            d->gid, d->group, d->of_grain, d->of_fj, d->path, d->name, d->o);
}
