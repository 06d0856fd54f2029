/* SPDX-License-Identifier: MIT */
/*
 * tree.c - columns and totals of a tree, however it was made.
 */
#include "aggregate/tree.h"

#include "aggregate/tree_private.h"
#include "base/mem.h"
#include "base/parallel.h"

#include <stdatomic.h>

bool
tree_columns(struct wn_tree *t, size_t n)
{
	t->n = (uint32_t)n;
	return (t->kind = wn_calloc(n, sizeof *t->kind)) &&
	       (t->flags = wn_calloc(n, sizeof *t->flags)) &&
	       (t->parent = wn_calloc(n, sizeof *t->parent)) &&
	       (t->end = wn_calloc(n, sizeof *t->end)) && (t->ref = wn_calloc(n, sizeof *t->ref)) &&
	       (t->n_children = wn_calloc(n, sizeof *t->n_children)) &&
	       (t->theta = wn_calloc(n, sizeof *t->theta));
}

void
wn_tree_free(struct wn_tree *t)
{
	if (!t)
		return;
	wn_free(t->kind);
	wn_free(t->flags);
	wn_free(t->parent);
	wn_free(t->end);
	wn_free(t->ref);
	wn_free(t->n_children);
	wn_free(t->theta);
	wn_free(t->number);
	wn_free(t);
}

struct flagging {
	const struct wn_tree *t;
	uint8_t *flags;
};

static void
flags_up(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	const struct flagging *f = user;
	const wn_tree_node *end = f->t->end;
	for (wn_tree_node i = to; i-- > from;) {
		uint8_t flags = f->flags[i];
		if (end[i] > limit)
			continue;
		for (wn_tree_node c = i + 1; c < end[i]; c = end[c])
			flags |= f->flags[c] & (WN_TF_PROBLEM | WN_TF_CRITICAL);
		f->flags[i] = flags;
	}
}

void
tree_flags_up(const struct wn_tree *t, uint8_t *flags)
{
	struct flagging f = {t, flags};
	tree_sweep_up(t, flags_up, &f);
}

struct totals {
	const struct wn_tree *t;
	atomic_uint n_of_kind[WN_TREE_KIND_N]; /* sums and a maximum: any order gives the same */
	atomic_uint theta_max;
};

static void
total(void *user, size_t part)
{
	struct totals *sum = user;
	const struct wn_tree *t = sum->t;
	wn_tree_node from = (wn_tree_node)((uint64_t)t->n * part / t->n_threads);
	wn_tree_node to = (wn_tree_node)((uint64_t)t->n * (part + 1) / t->n_threads);
	uint32_t n[WN_TREE_KIND_N] = {0}, theta = 0;
	for (wn_tree_node i = from; i < to; i++) {
		n[t->kind[i]]++;
		if (t->kind[i] == WN_TREE_GRAIN && t->theta[i] > theta)
			theta = t->theta[i];
	}
	for (int k = 0; k < WN_TREE_KIND_N; k++)
		atomic_fetch_add_explicit(&sum->n_of_kind[k], n[k], memory_order_relaxed);
	uint32_t most = atomic_load_explicit(&sum->theta_max, memory_order_relaxed);
	while (theta > most &&
	       !atomic_compare_exchange_weak_explicit(&sum->theta_max, &most, theta,
	                                              memory_order_relaxed, memory_order_relaxed))
		;
}

void
tree_finish(struct wn_tree *t)
{
	struct totals sum = {.t = t};
	tree_flags_up(t, t->flags);
	wn_parallel(t->n_threads, t->n_threads, total, &sum);
	for (int k = 0; k < WN_TREE_KIND_N; k++)
		t->n_of_kind[k] = atomic_load_explicit(&sum.n_of_kind[k], memory_order_relaxed);
	t->theta_max = atomic_load_explicit(&sum.theta_max, memory_order_relaxed);
}

wn_tree_node
wn_tree_node_of(const struct wn_tree *t, wn_grain id)
{
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] == WN_TREE_GRAIN && t->ref[i] == id)
			return i;
	return WN_NO_TREE_NODE;
}
