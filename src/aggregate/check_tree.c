/* SPDX-License-Identifier: MIT */
/* check_tree.c - verifies trees by comparing the drawing with the columns, independently of how the
 * tree was built. */
#include "aggregate/check.h"

#include "base/error.h"
#include "base/mem.h"
#include "graph/draw.h"

/* How often each grain and fork-join occurred; saturates at 255. */
struct seen {
	uint8_t *grains, *fjs;
};

static wn_status
broken(wn_err *err, const char *law, uint64_t which)
{
	return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET, "%s (number %llu)", law,
	               (unsigned long long)which);
}

static void
meet(uint8_t *seen, uint32_t which)
{
	if (seen[which] < 255)
		seen[which]++;
}

static const char *
broken_column(const struct wn_tree *t, wn_tree_node i)
{
	wn_tree_node end = i + 1;
	uint32_t n = 0;
	if (t->kind[i] >= WN_TREE_KIND_N || t->end[i] <= i || t->end[i] > t->n)
		return "a node of the tree has no kind or end";
	for (; end < t->end[i]; end = t->end[end], n++)
		if (t->end[end] <= end || t->parent[end] != i)
			return "a member of a group has another parent";
	if (end != t->end[i] || n != t->n_children[i])
		return "a group ends elsewhere, or has other members than recorded";
	if ((n == 0) != (t->kind[i] == WN_TREE_GRAIN))
		return "a group is empty, or a grain is a group";
	uint64_t above = i == WN_TREE_ROOT ? 0 : t->theta[t->parent[i]];
	if (t->theta[i] != above + wn_tree_adds(t->kind[i], n))
		return "a theta is not that of the formula";
	return NULL;
}

/* Returns the fork-join group that contains a branch, skipping groups made by separation. */
static wn_tree_node
branch_of(const struct wn_tree *t, wn_tree_node i)
{
	wn_tree_node group = t->parent[i];
	while (group != WN_NO_TREE_NODE &&
	       (t->kind[group] == WN_TREE_SIBLING || t->kind[group] == WN_TREE_ALIKE))
		group = t->parent[group];
	return group;
}

/* Returns the linear group, not the run. */
static wn_tree_node
linear_of(const struct wn_tree *t, wn_tree_node i)
{
	wn_tree_node group = t->parent[i];
	if (group != WN_NO_TREE_NODE && t->flags[group] & WN_TF_RUN)
		group = t->parent[group];
	return group != WN_NO_TREE_NODE && t->kind[group] == WN_TREE_LINEAR ? group
	                                                                    : WN_NO_TREE_NODE;
}

static const char *
broken_grain(const struct wn_tree *t, wn_tree_node i)
{
	wn_grain id = t->ref[i];
	wn_tree_node linear = linear_of(t, i), branch = linear == WN_NO_TREE_NODE ? i : linear;
	if (id >= t->g->n)
		return "a grain of the tree does not exist";
	if (linear != WN_NO_TREE_NODE && t->ref[linear] != id)
		return "a grain is in another one's linear group";
	wn_tree_node group = branch_of(t, branch);
	uint32_t fj = group == WN_NO_TREE_NODE ? WN_NO_FJ : t->ref[group];
	return fj == t->g->fj[id] ? NULL : "a grain is in another fork-join than the one it joins";
}

static const char *
broken_fork_join(const struct wn_tree *t, wn_tree_node i)
{
	uint32_t fj = t->ref[i];
	wn_tree_node linear = linear_of(t, i);
	if (fj >= t->g->n_fjs)
		return "a fork-join of the tree does not exist";
	if (linear != WN_NO_TREE_NODE)
		return t->ref[linear] == t->g->fjs[fj].owner
		           ? NULL
		           : "a fork-join is in another owner's linear group";
	return branch_of(t, i) == WN_NO_TREE_NODE && !wn_is_drawn(t->g, t->g->fjs[fj].owner)
	           ? NULL
	           : "a fork-join is without its owner";
}

/* Linear groups: a grain first, if there is one; then fork-joins in order; runs contain no runs. */
static const char *
broken_linear(const struct wn_tree *t, wn_tree_node i)
{
	bool is_run = t->flags[i] & WN_TF_RUN;
	uint32_t before = WN_NO_FJ;
	if (is_run != (i != WN_TREE_ROOT && t->kind[t->parent[i]] == WN_TREE_LINEAR))
		return "a linear group is inside another one and no run, or is a run and is not";
	if (is_run && t->flags[t->parent[i]] & WN_TF_RUN)
		return "a run is inside a run";
	for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c]) {
		if (t->kind[c] == WN_TREE_LINEAR)
			continue;
		if (t->kind[c] == WN_TREE_GRAIN) {
			if (c != i + 1)
				return "a grain comes after fork-joins of its own";
			continue;
		}
		if (t->kind[c] != WN_TREE_FORK_JOIN)
			return "a linear group holds what it must not";
		if (before != WN_NO_FJ && t->ref[c] <= before)
			return "fork-joins of a linear group are out of order";
		before = t->ref[c];
	}
	return NULL;
}

/* Members of a group made by separation belong to the same fork-join. */
static const char *
broken_made(const struct wn_tree *t, wn_tree_node i)
{
	wn_tree_node group = branch_of(t, i);
	uint32_t fj = group == WN_NO_TREE_NODE ? WN_NO_FJ : t->ref[group];
	return fj == t->ref[i] ? NULL : "a group of branches is in another fork-join";
}

static const char *
broken_law(const struct wn_tree *t, wn_tree_node i, struct seen *seen)
{
	const char *law = broken_column(t, i);
	if (law)
		return law;
	switch ((enum wn_tree_kind)t->kind[i]) {
	case WN_TREE_GRAIN:
		if (!(law = broken_grain(t, i)))
			meet(seen->grains, t->ref[i]);
		return law;
	case WN_TREE_FORK_JOIN:
		if (!(law = broken_fork_join(t, i)))
			meet(seen->fjs, t->ref[i]);
		return law;
	case WN_TREE_LINEAR:
		return broken_linear(t, i);
	case WN_TREE_SIBLING:
	case WN_TREE_ALIKE:
	case WN_TREE_KIND_N:
		break;
	}
	return broken_made(t, i);
}

struct drawing {
	struct seen seen;
	wn_err *err;
};

/* Each drawn node must have occurred once; its count is then reset. */
static wn_status
compare_node(const struct wn_node *node, void *user)
{
	struct drawing *d = user;
	if (node->id.kind == WN_NODE_GRAIN && d->seen.grains[node->id.grain]-- != 1)
		return broken(d->err, "a drawn grain is not in the tree once", node->id.grain);
	if (node->id.kind == WN_NODE_FORK && d->seen.fjs[node->id.fj]-- != 1)
		return broken(d->err, "a drawn fork-join is not in the tree once", node->id.fj);
	return WN_OK;
}

static wn_status
compare_drawing(const struct wn_tree *t, struct seen seen, wn_err *err)
{
	struct drawing d = {seen, err};
	struct wn_draw *draw;
	wn_status st = wn_draw_new(t->g, WN_FORM_REDUCED, &draw, err);
	if (st != WN_OK)
		return st;
	st = wn_draw_nodes(draw, compare_node, &d);
	wn_draw_free(draw);
	for (wn_grain id = 0; st == WN_OK && id < t->g->n; id++)
		if (seen.grains[id])
			st = broken(err, "a grain in the tree is not drawn", id);
	for (size_t fj = 0; st == WN_OK && fj < t->g->n_fjs; fj++)
		if (seen.fjs[fj])
			st = broken(err, "a fork-join in the tree is not drawn", fj);
	return st;
}

wn_status
wn_tree_check(const struct wn_tree *t, wn_err *err)
{
	struct seen seen = {wn_calloc(t->g->n, 1), wn_calloc(t->g->n_fjs, 1)};
	wn_status st = WN_OK;
	if (!seen.grains || !seen.fjs)
		WN_TRY(wn_no_memory(err));
	if (t->n && (t->parent[WN_TREE_ROOT] != WN_NO_TREE_NODE || t->end[WN_TREE_ROOT] != t->n))
		WN_TRY(broken(err, "the tree has several roots", 0));
	for (wn_tree_node i = 0; i < t->n; i++) {
		const char *law = broken_law(t, i, &seen);
		if (law)
			WN_TRY(broken(err, law, i));
	}
	WN_TRY(compare_drawing(t, seen, err));
out:
	wn_free(seen.grains);
	wn_free(seen.fjs);
	return st;
}
