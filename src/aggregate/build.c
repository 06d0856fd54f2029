/* SPDX-License-Identifier: MIT */
/*
 * build.c - from fork-join columns to the tree, in four steps, none of which needs a stack:
 *
 *   list   the drawn children of each fork-join, the drawn fork-joins of each owner (lists.c)
 *   size   how many nodes each fork-join holds (sizes.c)
 *   cut    where each node will be follows from the sizes; so the tree is cut into pieces: members
 *          of a fork-join, side by side, that hold not too many nodes
 *   fill   each piece on its own, in the order of the nodes. Where a fork-join was left for one
 *          inside is kept with the fork-join; the way back leads along the parents
 */
#include "aggregate/build_private.h"
#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

#define PIECE_MIN 4096u /* nodes */
#define PIECES    64u   /* per thread, roughly */

/* Members from..to of the fork-join at node `parent`, laid down from node `at` on. */
struct piece {
	wn_tree_node at, parent;
	uint32_t from, to; /* in children */
};

static void
put(struct builder *b, wn_tree_node at, enum wn_tree_kind kind, wn_tree_node parent, uint32_t ref,
    uint32_t n_children, uint64_t size)
{
	struct wn_tree *t = b->t;
	t->kind[at] = (uint8_t)kind;
	t->parent[at] = parent;
	t->ref[at] = ref;
	t->n_children[at] = n_children;
	t->end[at] = at + (uint32_t)size;
	t->theta[at] =
	    (parent == WN_NO_TREE_NODE ? 0 : t->theta[parent]) + wn_tree_adds(kind, n_children);
}

static void
put_grain(struct builder *b, wn_tree_node at, wn_tree_node parent, wn_grain id)
{
	put(b, at, WN_TREE_GRAIN, parent, id, 0, 1);
	b->t->flags[at] = b->g->flags[id] & WN_GF_CRITICAL ? WN_TF_CRITICAL : 0;
}

static void
put_fork_join(struct builder *b, wn_tree_node at, wn_tree_node parent, uint32_t fj)
{
	put(b, at, WN_TREE_FORK_JOIN, parent, fj, b->last[fj] - list_begin(b, fj), b->size[fj]);
}

/* The linear group of a grain or context, if it has more than one member; and the grain. Returns
 * the node that the fork-joins belong to, and *at after what was put. */
static wn_tree_node
put_owner(struct builder *b, wn_tree_node *at, wn_tree_node parent, wn_grain id)
{
	bool has_grain = is_drawn(b, id);
	uint32_t n_members = has_grain;
	uint64_t size = 1 + (uint64_t)has_grain;
	for (uint32_t fj = b->first_fj[id]; fj != NONE; fj = b->next_fj[fj], n_members++)
		size += b->size[fj];
	if (n_members > 1) {
		put(b, *at, WN_TREE_LINEAR, parent, id, n_members, size);
		parent = (*at)++;
	}
	if (has_grain)
		put_grain(b, (*at)++, parent, id);
	return parent;
}

static void
add_piece(struct builder *b, struct piece piece)
{
	if (piece.from == piece.to)
		return;
	if (wn_grow(&b->pieces, &b->pieces_capacity, b->n_pieces + 1, sizeof piece) != 0)
		atomic_store_explicit(&b->is_out_of_memory, true, memory_order_relaxed);
	else
		b->pieces[b->n_pieces++] = piece;
}

/* Leaves the members from `i` on to pieces, as far as each holds few enough nodes. */
static uint32_t
cut_off(struct builder *b, wn_tree_node parent, uint32_t i, uint32_t end, wn_tree_node *at)
{
	struct piece piece = {.at = *at, .parent = parent, .from = i};
	bool is_flat = b->t->end[parent] - parent - 1 == b->t->n_children[parent];
	for (; i < end; i++) {
		uint32_t step = 1;
		uint64_t size = is_flat ? 1 : build_size_of(b, b->children[i]);
		if (is_flat) {
			step = end - i < b->cut_at ? end - i : b->cut_at;
			size = step;
		}
		if (size > b->cut_at)
			break;
		i += step - 1;
		*at += (wn_tree_node)size;
		if (*at - piece.at < b->cut_at)
			continue;
		piece.to = i + 1;
		add_piece(b, piece);
		piece = (struct piece){.at = *at, .parent = parent, .from = i + 1};
	}
	piece.to = i;
	add_piece(b, piece);
	return i;
}

/* Lays down members of the fork-join at a piece's parent with all that is inside them. When it
 * cuts, only those that hold many nodes. Returns the node after. */
static wn_tree_node
fill(struct builder *b, struct piece piece, bool is_cutting)
{
	const struct wn_tree *t = b->t;
	wn_tree_node at = piece.at, group = piece.parent;
	uint32_t i = piece.from, end = piece.to, left_at = i;
	for (;;) {
		if (is_cutting)
			i = cut_off(b, group, i, end, &at);
		if (i < end) {
			wn_grain id = b->children[i++];
			uint32_t fj = b->first_fj[id];
			if (fj == NONE) {
				put_grain(b, at++, group, id);
				continue;
			}
			if (group == piece.parent)
				left_at = i;
			else
				b->size[t->ref[group]] = i;
			wn_tree_node owner = put_owner(b, &at, group, id);
			put_fork_join(b, at, owner, fj);
			group = at++;
			i = list_begin(b, fj);
			end = b->last[fj];
			continue;
		}
		if (group == piece.parent)
			return at;
		wn_tree_node owner = t->parent[group];
		uint32_t fj = b->next_fj[t->ref[group]];
		if (fj != NONE) {
			put_fork_join(b, at, owner, fj);
			group = at++;
			i = list_begin(b, fj);
			end = b->last[fj];
			continue;
		}
		group = t->parent[owner];
		i = group == piece.parent ? left_at : b->size[t->ref[group]];
		end = group == piece.parent ? piece.to : b->last[t->ref[group]];
	}
}

static void
fill_piece(void *user, size_t which)
{
	struct builder *b = user;
	fill(b, b->pieces[which], false);
}

static wn_tree_node
fill_context(struct builder *b, wn_grain id, wn_tree_node at, wn_tree_node parent)
{
	wn_tree_node owner = put_owner(b, &at, parent, id);
	for (uint32_t fj = b->first_fj[id]; fj != NONE; fj = b->next_fj[fj]) {
		put_fork_join(b, at, owner, fj);
		struct piece all = {at + 1, at, list_begin(b, fj), b->last[fj]};
		at = fill(b, all, b->cut_at > 0);
	}
	return at;
}

/* What hangs off S, one after the other. */
static void
fill_top(struct builder *b)
{
	wn_tree_node at = 0, parent = WN_NO_TREE_NODE;
	if (b->n_tops > 1) {
		put(b, at, WN_TREE_SIBLING, parent, WN_NO_FJ, (uint32_t)b->n_tops, b->t->n);
		parent = at++;
	}
	for (size_t r = 0; r < b->n_ranges; r++)
		for (size_t i = 0; i < b->tops[r].n; i++)
			at = fill_context(b, b->tops[r].ids[i], at, parent);
}

static wn_status
fold(struct builder *b, wn_err *err)
{
	wn_status st = build_lists(b);
	if (st == WN_OK)
		st = build_sizes(b, err);
	if (st == WN_OK &&
	    !tree_columns(b->t, atomic_load_explicit(&b->n_nodes, memory_order_relaxed)))
		st = WN_E_NOMEM;
	if (st != WN_OK)
		return st;
	if (b->n_threads > 1) {
		uint32_t cut_at = (uint32_t)(b->t->n / ((uint64_t)b->n_threads * PIECES));
		b->cut_at = cut_at < PIECE_MIN ? PIECE_MIN : cut_at;
	}
	fill_top(b);
	if (atomic_load_explicit(&b->is_out_of_memory, memory_order_relaxed))
		return WN_E_NOMEM;
	wn_parallel(b->n_threads, b->n_pieces, fill_piece, b);
	return WN_OK;
}

/* The kernel takes long to take large blocks back. */
static void
free_block(void *user, size_t which)
{
	struct builder *b = user;
	void *blocks[] = {b->is_dropped, b->counts, b->children, b->first_fj,
	                  b->next_fj,    b->size,   b->outer,    b->pieces};
	if (which < sizeof blocks / sizeof *blocks)
		wn_free(blocks[which]);
	else
		wn_free(b->tops[which - sizeof blocks / sizeof *blocks].ids);
}

/* An implicit task that created nothing goes, and what then holds nothing goes with it. */
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

wn_status
wn_tree_build_as(const struct wn_graph *g, const struct wn_tree_options *options,
                 struct wn_tree **out, wn_err *err)
{
	unsigned n_threads = options->n_threads ? options->n_threads : wn_parallel_cpus();
	struct builder b = {.g = g, .n_threads = n_threads};
	wn_status st = WN_OK;
	b.n_ranges = n_threads < RANGES_MAX ? n_threads : RANGES_MAX;
	b.n_blocks = n_threads > 1 ? BLOCKS_MAX : 1;
	b.t = wn_calloc(1, sizeof *b.t);
	if (!b.t) {
		st = WN_E_NOMEM;
		goto out;
	}
	b.t->g = g;
	b.t->n_threads = n_threads;
	if (options->drops_childless)
		WN_TRY(drop_childless(&b));
	WN_TRY(fold(&b, err));
out:
	wn_parallel(n_threads, 8 + RANGES_MAX, free_block, &b);
	if (st != WN_OK) {
		wn_tree_free(b.t);
		return st == WN_E_NOMEM
		           ? wn_fail(err, st, WN_NO_OFFSET, "out of memory to fold %u grains", g->n)
		           : st;
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
