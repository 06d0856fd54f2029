/* SPDX-License-Identifier: MIT */
/*
 * build_tree.c - builds the tree from fork-join columns in four steps. Each step is divided among
 * threads, and none needs a stack:
 *
 *   list    the drawn children of each fork-join, the drawn fork-joins of each owner (lists.c)
 *   size    how many nodes each fork-join holds (sizes.c)
 *   place   which node each fork-join is, and its theta (group_places.c)
 *   fill    the nodes of the children of each fork-join, and of their own fork-joins: all that is
 *           to be known of them is known
 */
#include "aggregate/build_private.h"
#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

#include <assert.h>

#define N_BLOCKS 9u
#define SMALL    65536u     /* ids */
#define PIECE    (1u << 19) /* numbers per piece of a column */

static void
put(struct wn_tree *t, wn_tree_node at, enum wn_tree_kind kind, wn_tree_node parent, uint32_t ref,
    uint32_t n_children, wn_tree_node end, uint32_t theta)
{
	t->kind[at] = (uint8_t)kind;
	t->parent[at] = parent;
	t->ref[at] = ref;
	t->n_children[at] = n_children;
	t->end[at] = end;
	t->theta[at] = theta;
}

/* Columns are zeroed at allocation: entries that stay zero touch no memory. */
static void
put_grain(struct builder *b, wn_tree_node at, wn_tree_node parent, wn_grain id, uint32_t theta)
{
	struct wn_tree *t = b->t;
	static_assert(WN_TREE_GRAIN == 0, "a kind that need not be written");
	t->parent[at] = parent;
	t->ref[at] = id;
	t->end[at] = at + 1;
	t->theta[at] = theta + 1;
	if (b->g->flags[id] & WN_GF_CRITICAL)
		t->flags[at] = WN_TF_CRITICAL;
}

/* Valid once the fork-join has its place. */
static uint32_t
theta_of(const struct builder *b, uint32_t fj)
{
	return b->outer[fj];
}

/* Writes a grain or a context with all its fork-joins, but not their contents, starting at a node.
 * Returns the next node. */
static wn_tree_node
put_owner(struct builder *b, wn_tree_node at, wn_tree_node parent, wn_grain id, uint32_t theta)
{
	uint32_t members = n_members(b, id);
	wn_tree_node linear = at, end = at + (uint32_t)build_size_of(b, id);
	if (members > 1) {
		theta += members - 1;
		put(b->t, at++, WN_TREE_LINEAR, parent, id, members, end, theta);
		parent = linear;
	}
	if (is_drawn(b, id))
		put_grain(b, at, parent, id, theta);
	for (uint32_t fj = first_fj(b, id); fj != NONE; fj = b->next_fj[fj])
		put(b->t, b->place[fj], WN_TREE_FORK_JOIN, parent, fj,
		    b->last[fj] - list_begin(b, fj), b->place[fj] + b->size[fj], theta_of(b, fj));
	return end;
}

static void
fill_share(void *user, size_t k)
{
	struct builder *b = user;
	struct walk w = walk_begin(b, &b->shares[k]);
	for (wn_grain id; walk_next(b, &w, &id);) {
		wn_tree_node parent = b->place[w.fj], at = parent + 1 + w.offset;
		if (first_fj(b, id) == NONE) {
			put_grain(b, at, parent, id, theta_of(b, w.fj));
			w.offset++;
		} else {
			w.offset += put_owner(b, at, parent, id, theta_of(b, w.fj)) - at;
		}
	}
}

/* Writes the fork-joins of contexts and the lone grains below S, one after the other. */
static void
fill_top(struct builder *b)
{
	wn_tree_node at = 0, parent = WN_NO_TREE_NODE;
	uint32_t n = (uint32_t)b->n_tops, theta = n > 1 ? n - 1 : 0;
	if (n > 1) {
		put(b->t, at, WN_TREE_SIBLING, parent, WN_NO_FJ, n, b->t->n, theta);
		parent = at++;
	}
	for (size_t r = 0; r < b->n_ranges; r++)
		for (size_t i = 0; i < b->tops[r].n; i++)
			at = put_owner(b, at, parent, b->tops[r].ids[i], theta);
}

/* Populates a piece of the columns written for each node; returns false after the last piece. */
static bool
prepare_piece(const struct wn_tree *t, size_t piece)
{
	uint32_t *columns[] = {t->parent, t->end, t->ref, t->theta};
	size_t n_pieces = t->n / PIECE + 1, from = piece % n_pieces * PIECE;
	if (piece / n_pieces >= sizeof columns / sizeof *columns)
		return false;
	uint32_t *numbers = columns[piece / n_pieces];
	size_t n = from >= t->n ? 0 : t->n - from < PIECE ? t->n - from : PIECE;
	wn_mem_prepare(numbers + from, n * sizeof *numbers);
	return true;
}

struct alone {
	struct builder *b;
	void (*step)(struct builder *b);
	atomic_bool is_over; /* relaxed: noticing it late does no harm */
};

static void
alone_or_prepare(void *user, size_t job)
{
	struct alone *a = user;
	if (job == 0) {
		a->step(a->b);
		atomic_store_explicit(&a->is_over, true, memory_order_relaxed);
		return;
	}
	while (!atomic_load_explicit(&a->is_over, memory_order_relaxed) &&
	       prepare_piece(a->b->t,
	                     atomic_fetch_add_explicit(&a->b->n_pieces, 1, memory_order_relaxed)))
		;
}

void
build_alone(struct builder *b, void (*step)(struct builder *b))
{
	struct alone a = {.b = b, .step = step};
	wn_parallel(b->n_threads, b->n_threads, alone_or_prepare, &a);
}

static wn_status
fold(struct builder *b, wn_err *err)
{
	wn_status st = build_lists(b);
	if (st == WN_OK)
		st = build_sizes(b, err);
	if (st == WN_OK)
		st = build_places(b);
	if (st != WN_OK)
		return st;
	while (
	    prepare_piece(b->t, atomic_fetch_add_explicit(&b->n_pieces, 1, memory_order_relaxed)))
		; /* those for which there was no time */
	fill_top(b);
	wn_parallel(b->n_threads, b->n_shares, fill_share, b);
	return WN_OK;
}

/* In a job of its own: unmapping large blocks takes the kernel long. */
static void
free_block(void *user, size_t which)
{
	struct builder *b = user;
	void *blocks[N_BLOCKS] = {b->is_dropped, b->counts, b->children, b->first_fj, b->next_fj,
	                          b->size,       b->outer,  b->place,    b->shares};
	wn_free(which < N_BLOCKS ? blocks[which] : b->tops[which - N_BLOCKS].ids);
}

/* Drops implicit tasks that created nothing, and what then has no children. */
static wn_status
drop_childless(struct builder *b)
{
	const struct wn_graph *g = b->g;
	uint32_t *n_members = wn_calloc(g->n_fjs, sizeof *n_members);
	uint32_t *n_fjs = wn_calloc(g->n, sizeof *n_fjs);
	b->is_dropped = wn_calloc(g->n, 1);
	bool is_made = n_members && n_fjs && b->is_dropped;
	for (wn_grain id = 0; is_made && id < g->n; id++)
		if (wn_is_drawn(g, id) && g->fj[id] != WN_NO_FJ)
			n_members[g->fj[id]]++;
	for (uint32_t fj = 0; is_made && fj < g->n_fjs; fj++)
		n_fjs[g->fjs[fj].owner] += n_members[fj] > 0;
	for (wn_grain id = 0; is_made && id < g->n; id++) {
		wn_grain at = id;
		while (wn_is_drawn(g, at) && g->kind[at] == WN_GRAIN_IMPLICIT && n_fjs[at] == 0 &&
		       !b->is_dropped[at]) {
			uint32_t fj = g->fj[at];
			b->is_dropped[at] = 1;
			if (fj == WN_NO_FJ || --n_members[fj] > 0)
				break;
			at = g->fjs[fj].owner;
			n_fjs[at]--;
		}
	}
	wn_free(n_members);
	wn_free(n_fjs);
	return is_made ? WN_OK : WN_E_NOMEM;
}

/* One thread for small graphs: they are folded before another thread would start. */
static unsigned
threads_for(uint32_t n_ids)
{
	return n_ids < SMALL ? 1 : wn_parallel_cpus();
}

wn_status
wn_tree_build_as(const struct wn_graph *g, const struct wn_tree_options *options,
                 struct wn_tree **out, wn_err *err)
{
	unsigned n_threads = options->n_threads ? options->n_threads : threads_for(g->n);
	struct builder b = {.g = g, .n_threads = n_threads};
	wn_status st = WN_OK;
	if (n_threads > WN_THREADS_MAX)
		b.n_threads = n_threads = WN_THREADS_MAX;
	b.n_ranges = n_threads < RANGES_MAX ? n_threads : RANGES_MAX;
	b.n_blocks = n_threads > 1 ? BLOCKS_MAX : 1;
	b.t = wn_calloc(1, sizeof *b.t);
	if (!b.t)
		WN_TRY(WN_E_NOMEM);
	b.t->g = g;
	b.t->n_threads = n_threads;
	if (options->drops_childless)
		WN_TRY(drop_childless(&b));
	WN_TRY(fold(&b, err));
out:
	wn_parallel(n_threads, N_BLOCKS + RANGES_MAX, free_block, &b);
	if (st != WN_OK) {
		wn_tree_free(b.t);
		return st == WN_E_NOMEM ? wn_no_memory_for(err, g->n, "grains") : st;
	}
	tree_finish(b.t);
	*out = b.t;
	return WN_OK;
}

wn_status
wn_tree_build(const struct wn_graph *g, unsigned n_threads, struct wn_tree **out, wn_err *err)
{
	struct wn_tree_options options = {.n_threads = n_threads};
	return wn_tree_build_as(g, &options, out, err);
}
