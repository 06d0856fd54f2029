/* SPDX-License-Identifier: MIT */
/* bundle.c - distributes a budget of nodes down the tree: each group keeps nodes for its own fork,
 * join and grain, and shares the rest among its members by weight. A member with too small a share
 * stays closed. If a row has too many closed branches, those of the same place and kind (grains or
 * groups) are merged. Branches on and off the critical path are never merged. */
#include "export/bundle.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define LEAST_OPEN    4u /* nodes: a grain, a fork, one circle and a join */
#define ROW_MOST      16u
#define KINDS_MOST    8u /* of closed branches in a row; more become one of several places */
#define TRIES         6
#define CRITICAL_MORE 2 /* factor on the weight of the critical path */

struct maker {
	const struct wn_export *x;
	const struct wn_tree *t;
	struct bundles *out;
	uint64_t *weight; /* [t->n] sums over the inside */
	uint32_t *n_grains, *n_drawn;
	uint8_t *is_critical;
	wn_err *err;
};

/* --- sums --- */

static wn_status
sum_up(struct maker *m)
{
	const struct wn_tree *t = m->t;
	const struct wn_graph *g = t->g;
	m->weight = wn_calloc(t->n, sizeof *m->weight);
	m->n_grains = wn_calloc(t->n, sizeof *m->n_grains);
	m->n_drawn = wn_calloc(t->n, sizeof *m->n_drawn);
	m->is_critical = wn_calloc(t->n, 1);
	if (!m->weight || !m->n_grains || !m->n_drawn || !m->is_critical)
		return wn_no_memory_for(m->err, t->n, "nodes");
	for (wn_tree_node i = t->n; i-- > 0;) {
		if (t->kind[i] == WN_TREE_GRAIN) {
			wn_grain id = t->ref[i];
			m->weight[i] = wn_path_weight(g, id);
			m->n_grains[i] = wn_is_grain(g, id);
			m->n_drawn[i] = 1;
			m->is_critical[i] = (g->flags[id] & WN_GF_CRITICAL) != 0;
		}
		wn_tree_node up = t->parent[i];
		if (up == WN_NO_TREE_NODE)
			continue;
		m->weight[up] += m->weight[i];
		m->n_grains[up] += m->n_grains[i];
		m->n_drawn[up] += m->n_drawn[i];
		m->is_critical[up] |= m->is_critical[i];
	}
	return WN_OK;
}

/* Returns the weight for sharing a budget; above 0. */
static double
claim(const struct maker *m, wn_tree_node i)
{
	double weight = (double)m->weight[i] + m->n_drawn[i];
	return m->is_critical[i] ? CRITICAL_MORE * weight : weight;
}

/* Returns the place of the first grain of a member. */
static const struct wn_export_place *
place_of(const struct maker *m, wn_tree_node i)
{
	while (m->t->kind[i] != WN_TREE_GRAIN && m->t->end[i] > i + 1)
		i++;
	return m->t->kind[i] == WN_TREE_GRAIN ? wn_export_place(m->x, m->t->ref[i]) : NULL;
}

/* --- nodes --- */

static struct bundle *
add(struct maker *m, uint32_t parent, enum bundle_kind kind, wn_tree_node node)
{
	struct bundles *out = m->out;
	if (wn_grow(&out->items, &out->capacity, out->n + 1, sizeof *out->items) != 0)
		return NULL;
	out->in[node] = (uint32_t)out->n;
	struct bundle *b = &out->items[out->n++];
	*b = (struct bundle){.node = node,
	                     .parent = parent,
	                     .n_members = 1,
	                     .n_grains = m->n_grains[node],
	                     .n_drawn = m->n_drawn[node],
	                     .weight = m->weight[node],
	                     .place = place_of(m, node),
	                     .kind = (uint8_t)kind,
	                     .is_critical = m->is_critical[node]};
	return b;
}

static void
put_into(struct maker *m, uint32_t line, wn_tree_node node)
{
	struct bundle *b = &m->out->items[line];
	m->out->in[node] = line;
	b->n_members++;
	b->n_grains += m->n_grains[node];
	b->n_drawn += m->n_drawn[node];
	b->weight += m->weight[node];
	b->is_critical = b->is_critical || m->is_critical[node];
	if (b->place != place_of(m, node))
		b->place = NULL;
}

static bool open_node(struct maker *m, uint32_t parent, wn_tree_node node, double budget);

/* Neighbouring fork-joins with too small a share are merged. */
static bool
open_chain(struct maker *m, uint32_t parent, wn_tree_node node, double budget)
{
	const struct wn_tree *t = m->t;
	uint32_t self = (uint32_t)m->out->n, run = UINT32_MAX;
	double all = 0;
	if (!add(m, parent, BUNDLE_CHAIN, node))
		return false;
	for (wn_tree_node c = node + 1; c < t->end[node]; c = t->end[c])
		all += t->kind[c] == WN_TREE_GRAIN ? 0 : claim(m, c);
	for (wn_tree_node c = node + 1; c < t->end[node]; c = t->end[c]) {
		bool is_grain = t->kind[c] == WN_TREE_GRAIN;
		double share = is_grain ? 1 : (budget - 1) * claim(m, c) / all;
		if (is_grain || share >= LEAST_OPEN - 1) {
			run = UINT32_MAX;
			if (!open_node(m, self, c, share))
				return false;
		} else if (run != UINT32_MAX) {
			put_into(m, run, c);
		} else {
			run = (uint32_t)m->out->n;
			if (!add(m, self, BUNDLE_CLOSED, c))
				return false;
		}
	}
	return true;
}

/* Similar closed branches: the same place, kind (grains or groups) and criticality (several
 * branches that depend on each other may be on the path). */
struct kinds {
	const struct wn_export_place *place[KINDS_MOST + 1];
	bool is_grain[KINDS_MOST + 1], is_critical[KINDS_MOST + 1];
	uint32_t line[KINDS_MOST + 1];
	unsigned n, most; /* most: beyond it, only the first on the path or off it is added */
};

/* Adds a branch to the node of similar ones, or starts a new node. */
static bool
bundle(struct maker *m, struct kinds *k, uint32_t parent, wn_tree_node node)
{
	const struct wn_export_place *place = place_of(m, node);
	bool is_grain = m->t->kind[node] == WN_TREE_GRAIN, is_critical = m->is_critical[node];
	unsigned found = UINT32_MAX;
	for (unsigned i = 0; i < k->n; i++) {
		if (k->is_critical[i] != is_critical)
			continue;
		bool is_alike = k->place[i] == place && k->is_grain[i] == is_grain;
		if (is_alike || k->n >= k->most)
			found = i;
		if (is_alike)
			break;
	}
	if (found != UINT32_MAX) {
		put_into(m, k->line[found], node);
		return true;
	}
	k->place[k->n] = place;
	k->is_grain[k->n] = is_grain;
	k->is_critical[k->n] = is_critical;
	k->line[k->n] = (uint32_t)m->out->n;
	k->n++;
	return add(m, parent, BUNDLE_CLOSED, node) != NULL;
}

static bool
is_opened(const struct maker *m, wn_tree_node branch, double share)
{
	return m->t->kind[branch] != WN_TREE_GRAIN && share >= LEAST_OPEN;
}

static bool
open_row(struct maker *m, uint32_t parent, wn_tree_node node, double budget)
{
	const struct wn_tree *t = m->t;
	uint32_t self = (uint32_t)m->out->n;
	struct kinds kinds = {.most = KINDS_MOST};
	double all = 0, room = budget - 2, left = room + 2;
	uint32_t n_closed = 0;
	if (!add(m, parent, BUNDLE_ROW, node))
		return false;
	for (wn_tree_node c = node + 1; c < t->end[node]; c = t->end[c])
		all += claim(m, c);
	for (wn_tree_node c = node + 1; c < t->end[node]; c = t->end[c]) {
		double share = room * claim(m, c) / all;
		bool is_open = is_opened(m, c, share);
		left -= is_open ? share : 0;
		n_closed += !is_open;
	}
	bool is_crowded = n_closed > ROW_MOST || n_closed > left;
	if (left - 2 < KINDS_MOST)
		kinds.most = left < 3 ? 1 : (unsigned)left - 2;
	for (wn_tree_node c = node + 1; c < t->end[node]; c = t->end[c]) {
		double share = room * claim(m, c) / all;
		bool is_done = is_opened(m, c, share) ? open_node(m, self, c, share)
		               : is_crowded           ? bundle(m, &kinds, self, c)
		                                      : add(m, self, BUNDLE_CLOSED, c) != NULL;
		if (!is_done)
			return false;
	}
	return true;
}

/* Each level uses at least three nodes of its budget, so the depth is at most a third of it.
 * Returns false if out of memory. */
static bool
open_node(struct maker *m, uint32_t parent, wn_tree_node node, double budget)
{
	switch ((enum wn_tree_kind)m->t->kind[node]) {
	case WN_TREE_LINEAR:
		return open_chain(m, parent, node, budget);
	case WN_TREE_FORK_JOIN:
		return open_row(m, parent, node, budget);
	case WN_TREE_GRAIN:
	case WN_TREE_SIBLING:
	case WN_TREE_ALIKE:
	case WN_TREE_KIND_N:
		break;
	}
	return add(m, parent, BUNDLE_CLOSED, node) != NULL;
}

static bool
begin(const struct maker *m)
{
	struct bundles *out = m->out;
	size_t n_bytes = m->t->n * sizeof *out->in;
	out->n = 0;
	if (!out->in && !(out->in = wn_calloc(m->t->n, sizeof *out->in)))
		return false;
	memset(out->in, 0xff, n_bytes);
	return true;
}

/* Maps nodes inside a closed node to its item. */
static void
find_inner(const struct maker *m, wn_tree_node root, uint32_t *in)
{
	for (wn_tree_node i = root; i < m->t->end[root]; i++)
		if (in[i] == UINT32_MAX)
			in[i] = in[m->t->parent[i]];
}

wn_status
bundles_make(const struct wn_export *x, const struct wn_tree *t, wn_tree_node root, uint32_t n_most,
             struct bundles *out, wn_err *err)
{
	struct bundles made = {0};
	struct maker m = {.x = x, .t = t, .out = &made, .err = err};
	*out = (struct bundles){0};
	wn_status st;
	double budget = n_most;
	WN_TRY(sum_up(&m));
	/* merged branches free budget that others receive */
	for (int i = 0; i < TRIES; i++, budget *= 1.5) {
		if (!begin(&m) || !open_node(&m, UINT32_MAX, root, budget))
			WN_TRY(wn_no_memory(err));
		if (i > 0 && made.n > n_most)
			break;
		struct bundles better = made;
		made = *out;
		*out = better;
	}
	find_inner(&m, root, out->in);
out:
	bundles_fini(&made);
	if (st != WN_OK)
		bundles_fini(out);
	WN_FREE_ALL(m.weight, m.n_grains, m.n_drawn, m.is_critical);
	return st;
}

void
bundles_fini(struct bundles *b)
{
	wn_free(b->items);
	wn_free(b->in);
	*b = (struct bundles){0};
}
