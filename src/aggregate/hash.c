/* SPDX-License-Identifier: MIT */
/* hash.c - computes hashes of nodes from the leaves up. Hashes of unordered members are sorted
 * first. */
#include "aggregate/hash.h"

#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"
#include "table/values.h"

#include <stdatomic.h>

struct hashing {
	const struct wn_tree *t;
	uint64_t *out;
	const uint32_t *depth;   /* of ids: [n]; NULL = shapes */
	const uint64_t *lineage; /* of ids: [g->n] */
	atomic_bool is_out_of_memory;
};

static uint64_t
hash_sorted(struct hashing *h, wn_tree_node group, uint64_t hash)
{
	const struct wn_tree *t = h->t;
	struct wn_values v;
	wn_values_init(&v, t->n_children[group]);
	for (wn_tree_node c = group + 1; c < t->end[group]; c = t->end[c])
		wn_values_add(&v, h->out[c]);
	wn_values_sort(&v);
	for (size_t i = 0; i < v.n; i++)
		hash = wn_mix(hash, v.at[i]);
	if (v.is_out_of_memory) /* relaxed: read when all threads have been joined */
		atomic_store_explicit(&h->is_out_of_memory, true, memory_order_relaxed);
	wn_values_fini(&v);
	return hash;
}

static uint64_t
hash_of(struct hashing *h, wn_tree_node i)
{
	const struct wn_tree *t = h->t;
	uint64_t hash = wn_mix(t->kind[i], h->depth ? h->depth[i] : 0);
	switch ((enum wn_tree_kind)t->kind[i]) {
	case WN_TREE_GRAIN:
		return h->lineage ? wn_mix(hash, h->lineage[t->ref[i]]) : hash;
	case WN_TREE_LINEAR:
		for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c])
			hash = wn_mix(hash, h->out[c]);
		return wn_mix(hash, t->n_children[i]);
	case WN_TREE_FORK_JOIN:
	case WN_TREE_SIBLING:
	case WN_TREE_ALIKE:
	case WN_TREE_KIND_N:
		break;
	}
	return wn_mix(hash_sorted(h, i, hash), t->n_children[i]);
}

static void
hash_up(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	struct hashing *h = user;
	for (wn_tree_node i = to; i-- > from;)
		if (h->t->end[i] <= limit)
			h->out[i] = hash_of(h, i);
}

static wn_status
hash_all(struct hashing *h, wn_err *err)
{
	tree_sweep_up(h->t, hash_up, h);
	return atomic_load_explicit(&h->is_out_of_memory, memory_order_relaxed)
	           ? wn_no_memory_for(err, h->t->n, "nodes")
	           : WN_OK;
}

wn_status
wn_tree_shapes(const struct wn_tree *t, uint64_t *out, wn_err *err)
{
	struct hashing h = {.t = t, .out = out};
	return hash_all(&h, err);
}

wn_status
wn_tree_gids(const struct wn_tree *t, uint64_t *out, wn_err *err)
{
	uint32_t *depth = wn_calloc(t->n, sizeof *depth);
	uint64_t *lineage = wn_calloc(t->g->n, sizeof *lineage);
	struct hashing h = {.t = t, .out = out, .depth = depth, .lineage = lineage};
	wn_status st = WN_OK;
	if (!depth || !lineage)
		WN_TRY(wn_no_memory_for(err, t->n, "nodes"));
	WN_TRY(wn_graph_lineage_hashes(t->g, lineage, err));
	for (wn_tree_node i = 1; i < t->n; i++)
		depth[i] = depth[t->parent[i]] + 1;
	WN_TRY(hash_all(&h, err));
out:
	wn_free(depth);
	wn_free(lineage);
	return st;
}
