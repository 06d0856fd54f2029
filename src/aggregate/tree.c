/* SPDX-License-Identifier: MIT */
/* tree.c - columns and totals of a tree, independent of how it was built. */
#include "aggregate/tree.h"

#include "aggregate/tree_private.h"
#include "base/mem.h"
#include "base/parallel.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

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
	WN_FREE_ALL(t->kind, t->flags, t->parent, t->end, t->ref, t->n_children, t->theta,
	            t->number, t);
}

/* More parts than threads, for load balance. */
enum { PARTS_PER_THREAD = 8, PARTS_MAX = WN_THREADS_MAX };

static size_t
parts_of(const struct wn_tree *t)
{
	size_t n = (size_t)t->n_threads * PARTS_PER_THREAD;
	return t->n_threads == 1 ? 1 : n < PARTS_MAX ? n : PARTS_MAX;
}

enum { N_MARKS = 2 };

static const uint8_t marks[N_MARKS] = {WN_TF_PROBLEM, WN_TF_CRITICAL};

/* The nodes in parts. A group is marked if the first marked node after it is inside it. */
struct flagging {
	const struct wn_tree *t;
	uint8_t *flags;
	size_t n_parts;
	wn_tree_node first[PARTS_MAX + 1][N_MARKS]; /* first marked node from the part's begin on */
};

static wn_tree_node
part_begin(const struct wn_tree *t, size_t part, size_t n_parts)
{
	return (wn_tree_node)((uint64_t)t->n * part / n_parts);
}

/* The first part is never looked up. */
static void
find_first(void *user, size_t job)
{
	struct flagging *f = user;
	size_t part = job + 1;
	wn_tree_node to = part_begin(f->t, part + 1, f->n_parts);
	for (int m = 0; m < N_MARKS; m++) {
		wn_tree_node i = part_begin(f->t, part, f->n_parts);
		while (i < to && !(f->flags[i] & marks[m]))
			i++;
		f->first[part][m] = i < to ? i : WN_NO_TREE_NODE;
	}
}

/* Most nodes are grains without marks: they are skipped eight at a time. */
enum { AT_ONCE = 8 };

static bool
are_zero(const uint8_t *bytes)
{
	uint64_t all;
	static_assert(sizeof all == AT_ONCE, "one word of them");
	memcpy(&all, bytes, sizeof all);
	return all == 0;
}

static void
flag_part(void *user, size_t part)
{
	const struct flagging *f = user;
	const struct wn_tree *t = f->t;
	wn_tree_node from = part_begin(t, part, f->n_parts);
	wn_tree_node problem = f->first[part + 1][0], critical = f->first[part + 1][1];
	static_assert(WN_TREE_GRAIN == 0, "the kind that is passed by");
	for (wn_tree_node i = part_begin(t, part + 1, f->n_parts); i > from;) {
		if (i - from >= AT_ONCE && are_zero(t->kind + i - AT_ONCE) &&
		    are_zero(f->flags + i - AT_ONCE)) {
			i -= AT_ONCE;
			continue;
		}
		uint8_t had = f->flags[--i], flags = had;
		flags |= problem < t->end[i] ? WN_TF_PROBLEM : 0;
		flags |= critical < t->end[i] ? WN_TF_CRITICAL : 0;
		problem = flags & WN_TF_PROBLEM ? i : problem;
		critical = flags & WN_TF_CRITICAL ? i : critical;
		if (flags != had) /* keeps zeroed memory untouched */
			f->flags[i] = flags;
	}
}

void
tree_flags_up(const struct wn_tree *t, uint8_t *flags)
{
	struct flagging f = {t, flags, .n_parts = parts_of(t)};
	wn_parallel(t->n_threads, f.n_parts - 1, find_first, &f);
	for (size_t part = f.n_parts + 1; part-- > 1;)
		for (int m = 0; m < N_MARKS; m++)
			if (part == f.n_parts)
				f.first[part][m] = WN_NO_TREE_NODE;
			else if (f.first[part][m] == WN_NO_TREE_NODE)
				f.first[part][m] = f.first[part + 1][m];
	wn_parallel(t->n_threads, f.n_parts, flag_part, &f);
}

struct totals {
	const struct wn_tree *t;
	atomic_uint n_of_kind[WN_TREE_KIND_N]; /* sums and a maximum: the order does not matter */
	atomic_uint theta_max;
};

static void
total(void *user, size_t part)
{
	struct totals *sum = user;
	const struct wn_tree *t = sum->t;
	size_t n_parts = parts_of(t);
	wn_tree_node from = part_begin(t, part, n_parts), to = part_begin(t, part + 1, n_parts);
	uint32_t n[WN_TREE_KIND_N] = {[WN_TREE_GRAIN] = to - from}, theta = 0;
	for (wn_tree_node i = from; i < to;) {
		if (t->kind[i] != WN_TREE_GRAIN) {
			n[t->kind[i++]]++;
			n[WN_TREE_GRAIN]--;
			continue;
		}
		unsigned n_grains = to - i >= AT_ONCE && are_zero(t->kind + i) ? AT_ONCE : 1;
		for (unsigned k = 0; k < n_grains; k++, i++)
			theta = t->theta[i] > theta ? t->theta[i] : theta;
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
	wn_parallel(t->n_threads, parts_of(t), total, &sum);
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
