/* SPDX-License-Identifier: MIT */
/* diff_similar.c - computes the structural similarity of two runs: as a whole, and for each of
 * their regions in order. */
#include "report/diff.h"

#include "aggregate/hash.h"
#include "base/error.h"
#include "base/mem.h"

#include <stdio.h>

#define GROUPS_MAX 20u

struct sides {
	struct wn_tree *tree[2];
	uint64_t *shape[2];
};

static wn_status
labels_of(const struct wn_tree *t, wn_tree_node node, unsigned n_rounds, struct wn_wl *out,
          wn_err *err)
{
	struct wn_outline outline;
	wn_status st = wn_outline_init(&outline, t, node, err);
	if (st != WN_OK)
		return st;
	st = wn_wl_init(out, &outline, n_rounds, err);
	wn_outline_fini(&outline);
	return st;
}

static wn_status
add(struct wn_diff *d, const struct sides *s, const char *name, const wn_tree_node node[2],
    wn_err *err)
{
	struct wn_wl wl[2];
	struct wn_diff_similarity *out = d->similarity;
	wn_status st = labels_of(s->tree[0], node[0], out->n_rounds, &wl[0], err);
	if (st != WN_OK)
		return st;
	st = labels_of(s->tree[1], node[1], out->n_rounds, &wl[1], err);
	if (st == WN_OK) {
		struct wn_diff_alike *item = &out->items[out->n++];
		snprintf(item->name, sizeof item->name, "%s", name);
		item->similarity = wn_wl_similarity(&wl[0], &wl[1]);
		item->has_same_labels = wn_wl_is_same(&wl[0], &wl[1]);
		item->has_same_shape = s->shape[0][node[0]] == s->shape[1][node[1]];
		wn_wl_fini(&wl[1]);
	}
	wn_wl_fini(&wl[0]);
	return st;
}

/* Finds the k-th fork-join of the initial thread, R/F<k>. */
static wn_tree_node
top_fork_join(const struct wn_tree *t, uint32_t k)
{
	if (t->kind[WN_TREE_ROOT] == WN_TREE_FORK_JOIN)
		return k == 0 ? WN_TREE_ROOT : WN_NO_TREE_NODE;
	if (t->kind[WN_TREE_ROOT] != WN_TREE_LINEAR)
		return WN_NO_TREE_NODE;
	for (wn_tree_node c = 1; c < t->n; c = t->end[c])
		if (t->kind[c] == WN_TREE_FORK_JOIN && k-- == 0)
			return c;
	return WN_NO_TREE_NODE;
}

static wn_status
add_top(struct wn_diff *d, const struct sides *s, wn_err *err)
{
	for (uint32_t k = 0; k < GROUPS_MAX; k++) {
		char name[24];
		wn_tree_node node[2] = {top_fork_join(s->tree[0], k), top_fork_join(s->tree[1], k)};
		if (node[0] == WN_NO_TREE_NODE || node[1] == WN_NO_TREE_NODE)
			return WN_OK;
		snprintf(name, sizeof name, "R/F%u", (unsigned)k);
		wn_status st = add(d, s, name, node, err);
		if (st != WN_OK)
			return st;
	}
	return WN_OK;
}

static wn_status
find(struct wn_diff *d, struct sides *s, wn_err *err)
{
	wn_status st = WN_OK;
	static const wn_tree_node roots[2] = {WN_TREE_ROOT, WN_TREE_ROOT};
	for (int side = 0; side < 2; side++) {
		WN_TRY(wn_tree_build(d->run[side]->graph, 0, &s->tree[side], err));
		s->shape[side] = wn_calloc(s->tree[side]->n, sizeof *s->shape[side]);
		if (!s->shape[side])
			return wn_no_memory(err);
		if (s->tree[side]->n == 0)
			return WN_OK;
		WN_TRY(wn_tree_shapes(s->tree[side], s->shape[side], err));
	}
	WN_TRY(add(d, s, "R", roots, err));
	WN_TRY(add_top(d, s, err));
out:
	return st;
}

wn_status
wn_diff_find_similarity(struct wn_diff *d, unsigned n_rounds, wn_err *err)
{
	struct sides s = {{NULL, NULL}, {NULL, NULL}};
	d->similarity = wn_calloc(1, sizeof *d->similarity);
	if (!d->similarity)
		return wn_no_memory(err);
	d->similarity->n_rounds = n_rounds;
	wn_status st = find(d, &s, err);
	for (int side = 0; side < 2; side++) {
		wn_tree_free(s.tree[side]);
		wn_free(s.shape[side]);
	}
	return st;
}
