/* SPDX-License-Identifier: MIT */
/* sweep.c - divides the nodes into ranges, and separates the nodes that extend beyond the end of
 * one: the ancestors of the first node of a range. */
#include "aggregate/tree_private.h"
#include "base/mem.h"
#include "base/parallel.h"

#define RANGE_NODES 65536u

struct sweep {
	const struct wn_tree *t;
	sweep_fn *fn;
	void *user;
	uint64_t *is_open; /* a bit per node */
};

static void
sweep_range(void *user, size_t which)
{
	const struct sweep *s = user;
	wn_tree_node from = (wn_tree_node)(which * RANGE_NODES);
	wn_tree_node to = s->t->n - from > RANGE_NODES ? from + RANGE_NODES : s->t->n;
	s->fn(s->user, from, to, to);
}

static size_t
n_ranges(const struct wn_tree *t)
{
	return ((size_t)t->n + RANGE_NODES - 1) / RANGE_NODES;
}

/* The ancestors of the previous range's first node are known already. Returns false if there are
 * so many that dividing the rest gains nothing, as in a chain. */
static bool
find_open(struct sweep *s)
{
	uint32_t most = s->t->n / 16, n = 0;
	for (size_t r = 1; r < n_ranges(s->t); r++) {
		wn_tree_node from = (wn_tree_node)(r * RANGE_NODES), before = from - RANGE_NODES;
		wn_tree_node at = s->t->parent[from];
		for (; at != WN_NO_TREE_NODE && at >= before; at = s->t->parent[at], n++)
			s->is_open[at / 64] |= UINT64_C(1) << at % 64;
		if (n > most)
			return false;
	}
	return true;
}

static void
sweep_open_up(const struct sweep *s)
{
	for (size_t w = (size_t)s->t->n / 64 + 1; w-- > 0;)
		for (uint64_t bits = s->is_open[w]; bits;) {
			unsigned bit = 63 - (unsigned)__builtin_clzll(bits);
			wn_tree_node at = (wn_tree_node)(w * 64 + bit);
			bits ^= UINT64_C(1) << bit;
			s->fn(s->user, at, at + 1, s->t->n);
		}
}

static void
sweep_open_down(const struct sweep *s)
{
	for (size_t w = 0; w <= (size_t)s->t->n / 64; w++)
		for (uint64_t bits = s->is_open[w]; bits; bits &= bits - 1) {
			wn_tree_node at = (wn_tree_node)(w * 64 + (unsigned)__builtin_ctzll(bits));
			s->fn(s->user, at, at + 1, s->t->n);
		}
}

static void
sweep(const struct wn_tree *t, sweep_fn *fn, void *user, bool is_up)
{
	struct sweep s = {.t = t, .fn = fn, .user = user};
	if (t->n_threads > 1 && n_ranges(t) > 1)
		s.is_open = wn_calloc((size_t)t->n / 64 + 1, sizeof *s.is_open);
	if (!s.is_open || !find_open(&s)) { /* as one range: nothing is open */
		wn_free(s.is_open);
		fn(user, 0, t->n, t->n);
		return;
	}
	if (!is_up)
		sweep_open_down(&s);
	wn_parallel(t->n_threads, n_ranges(t), sweep_range, &s);
	if (is_up)
		sweep_open_up(&s);
	wn_free(s.is_open);
}

void
tree_sweep_up(const struct wn_tree *t, sweep_fn *fn, void *user)
{
	sweep(t, fn, user, true);
}

void
tree_sweep_down(const struct wn_tree *t, sweep_fn *fn, void *user)
{
	sweep(t, fn, user, false);
}
