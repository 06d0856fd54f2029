/* SPDX-License-Identifier: MIT */
/*
 * build.c - from fork-join columns to the tree, in four steps, none of which needs a stack:
 *
 *   list   the drawn children of each fork-join, by id (a counting sort); the drawn fork-joins of
 *          each owner, in the order in which they were opened
 *   size   how many nodes each fork-join holds, from the innermost outwards: whoever sizes the last
 *          fork-join inside another one goes on with that one
 *   cut    where each node will be follows from the sizes; so the tree is cut into pieces: members
 *          of a fork-join, side by side, that hold not too many nodes
 *   fill   each piece on its own, in the order of the nodes. Where a fork-join was left for one
 *          inside is kept with the fork-join; the way back leads along the parents
 *
 * What hangs off S (contexts with fork-joins, grains whose creation was lost) is the top.
 */
#include "aggregate/tree.h"

#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

#include <string.h>

#define NONE       UINT32_MAX
#define NODES_MAX  0x7fffffffu /* so that theta, at most 1.5 per node, fits 32 bits */
#define RANGES_MAX 8u          /* of ids that are counted apart: 4 bytes per fork-join each */
#define PIECE_MIN  4096u       /* nodes */
#define PIECES     64u         /* per thread, roughly */

/* Members from..to of the fork-join at node `parent`, laid down from node `at` on. */
struct piece {
	wn_tree_node at, parent;
	uint32_t from, to; /* in children */
};

struct builder {
	const struct wn_graph *g;
	struct wn_tree *t;
	unsigned n_threads, n_ranges;
	uint8_t *is_dropped; /* [n], NULL = none is */
	uint32_t *counts;    /* [n_ranges][n_fjs]; the last range's is where each list ends */
	uint32_t *last;      /* = that */
	wn_grain *children;  /* drawn ones, by fork-join */
	uint32_t *first_fj;  /* [n] */
	uint32_t *next_fj;   /* [n_fjs] */
	uint32_t *size;      /* [n_fjs] nodes; once its node is made: where its list was left */
	uint32_t n_children; /* in children */
	uint32_t n_top;      /* what hangs off S */
	uint64_t n_nodes;
	uint32_t cut_at; /* nodes in a piece, roughly; 0 = do not cut */
	struct piece *pieces;
	size_t n_pieces, pieces_capacity;
	bool is_out_of_memory;
};

static bool
is_drawn(const struct builder *b, wn_grain id)
{
	return wn_is_drawn(b->g, id) && !(b->is_dropped && b->is_dropped[id]);
}

static uint32_t
list_begin(const struct builder *b, uint32_t fj)
{
	return fj ? b->last[fj - 1] : 0;
}

static bool
fj_has_members(const struct builder *b, uint32_t fj)
{
	return b->last[fj] > list_begin(b, fj);
}

/* Ids of range `r` of those that are counted apart. */
static wn_grain
range_begin(const struct builder *b, size_t r)
{
	return (wn_grain)((uint64_t)b->g->n * r / b->n_ranges);
}

static void
count_children(void *user, size_t r)
{
	struct builder *b = user;
	uint32_t *count = b->counts + r * b->g->n_fjs;
	for (wn_grain id = range_begin(b, r); id < range_begin(b, r + 1); id++)
		if (b->g->fj[id] != WN_NO_FJ && is_drawn(b, id))
			count[b->g->fj[id]]++;
}

static void
list_children(void *user, size_t r)
{
	struct builder *b = user;
	uint32_t *place = b->counts + r * b->g->n_fjs;
	for (wn_grain id = range_begin(b, r); id < range_begin(b, r + 1); id++)
		if (b->g->fj[id] != WN_NO_FJ && is_drawn(b, id))
			b->children[place[b->g->fj[id]]++] = id;
}

/* Each job takes the owners of a range of ids. */
static void
list_fork_joins(void *user, size_t r)
{
	struct builder *b = user;
	wn_grain from = range_begin(b, r), to = range_begin(b, r + 1);
	memset(b->first_fj + from, 0xff, (to - from) * sizeof *b->first_fj);
	for (uint32_t fj = (uint32_t)b->g->n_fjs; fj-- > 0;) {
		wn_grain owner = b->g->fjs[fj].owner;
		if (owner < from || owner >= to || !fj_has_members(b, fj))
			continue;
		b->next_fj[fj] = b->first_fj[owner];
		b->first_fj[owner] = fj;
	}
}

static wn_status
list(struct builder *b)
{
	size_t n_fjs = b->g->n_fjs;
	uint32_t sum = 0;
	b->counts = wn_calloc(n_fjs * b->n_ranges, sizeof *b->counts);
	if (!b->counts)
		return WN_E_NOMEM;
	wn_parallel(b->n_threads, b->n_ranges, count_children, b);
	for (size_t fj = 0; fj < n_fjs; fj++)
		for (unsigned r = 0; r < b->n_ranges; r++) {
			uint32_t count = b->counts[r * n_fjs + fj];
			b->counts[r * n_fjs + fj] = sum;
			sum += count;
		}
	b->n_children = sum;
	b->last = b->counts + (b->n_ranges - 1) * n_fjs;
	b->children = wn_calloc(sum, sizeof *b->children);
	b->first_fj = wn_calloc(b->g->n, sizeof *b->first_fj);
	b->next_fj = wn_calloc(n_fjs, sizeof *b->next_fj);
	b->size = wn_calloc(n_fjs, sizeof *b->size);
	if (!b->children || !b->first_fj || !b->next_fj || !b->size)
		return WN_E_NOMEM;
	wn_parallel(b->n_threads, b->n_ranges, list_children, b);
	wn_parallel(b->n_threads, b->n_ranges, list_fork_joins, b);
	return WN_OK;
}

/* The fork-join that a fork-join is inside of; NONE at the top. */
static uint32_t
outer_fj(const struct builder *b, uint32_t fj)
{
	wn_grain owner = b->g->fjs[fj].owner;
	return is_drawn(b, owner) ? b->g->fj[owner] : NONE;
}

/* From a fork-join whose inside is sized outwards, as far as it was the last one. */
static uint32_t
size_outwards(struct builder *b, uint32_t *n_inside, uint32_t fj)
{
	uint32_t n_sized = 0;
	for (;;) {
		uint32_t outer = outer_fj(b, fj);
		uint64_t size = 1 + (uint64_t)b->size[fj] + b->last[fj] - list_begin(b, fj);
		n_sized++;
		n_inside[fj] = NONE;
		b->size[fj] = size > NODES_MAX ? NODES_MAX : (uint32_t)size;
		if (outer == NONE)
			return n_sized;
		/* the owner's linear group comes with its first fork-join */
		size = (uint64_t)b->size[outer] + b->size[fj] +
		       (fj == b->first_fj[b->g->fjs[fj].owner]);
		b->size[outer] = size > NODES_MAX ? NODES_MAX : (uint32_t)size;
		if (--n_inside[outer] > 0)
			return n_sized;
		fj = outer;
	}
}

static wn_status
size_all(struct builder *b, wn_err *err)
{
	uint32_t n_fjs = (uint32_t)b->g->n_fjs, n_drawn = 0, n_sized = 0;
	uint32_t *n_inside = wn_calloc(n_fjs, sizeof *n_inside);
	if (!n_inside)
		return WN_E_NOMEM;
	for (uint32_t fj = 0; fj < n_fjs; fj++) {
		if (!fj_has_members(b, fj))
			continue;
		uint32_t outer = outer_fj(b, fj);
		n_drawn++;
		if (outer != NONE)
			n_inside[outer]++;
	}
	for (uint32_t fj = 0; fj < n_fjs; fj++)
		if (n_inside[fj] == 0 && fj_has_members(b, fj))
			n_sized += size_outwards(b, n_inside, fj);
	wn_free(n_inside);
	return n_sized == n_drawn ? WN_OK
	                          : wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
	                                    "a grain is inside its own fork-join");
}

/* Does it hang off S? */
static bool
is_top(const struct builder *b, wn_grain id)
{
	if (is_drawn(b, id))
		return b->g->fj[id] == WN_NO_FJ;
	return b->first_fj[id] != NONE;
}

/* Nodes of a grain with all that is inside, or of a context. */
static uint64_t
size_of(const struct builder *b, wn_grain id)
{
	uint64_t size = is_drawn(b, id), n_members = size;
	for (uint32_t fj = b->first_fj[id]; fj != NONE; fj = b->next_fj[fj], n_members++)
		size += b->size[fj];
	return size + (n_members > 1);
}

static wn_status
size_top(struct builder *b, wn_err *err)
{
	for (wn_grain id = 0; id < b->g->n; id++)
		if (is_top(b, id)) {
			b->n_top++;
			b->n_nodes += size_of(b, id);
		}
	b->n_nodes += b->n_top > 1;
	if (b->n_nodes >= NODES_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
		               "the graph folds to more than %u nodes", NODES_MAX - 1);
	return WN_OK;
}

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
		b->is_out_of_memory = true;
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
		uint64_t size = is_flat ? 1 : size_of(b, b->children[i]);
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

/* What hangs off S, one after the other. */
static void
fill_top(struct builder *b)
{
	wn_tree_node at = 0, parent = WN_NO_TREE_NODE;
	if (b->n_top > 1) {
		put(b, at, WN_TREE_SIBLING, parent, WN_NO_FJ, b->n_top, b->n_nodes);
		parent = at++;
	}
	for (wn_grain id = 0; id < b->g->n; id++) {
		if (!is_top(b, id))
			continue;
		wn_tree_node owner = put_owner(b, &at, parent, id);
		for (uint32_t fj = b->first_fj[id]; fj != NONE; fj = b->next_fj[fj]) {
			put_fork_join(b, at, owner, fj);
			struct piece all = {at + 1, at, list_begin(b, fj), b->last[fj]};
			at = fill(b, all, b->cut_at > 0);
		}
	}
}

static wn_status
fold(struct builder *b, wn_err *err)
{
	wn_status st = list(b);
	if (st == WN_OK)
		st = size_all(b, err);
	if (st == WN_OK)
		st = size_top(b, err);
	if (st == WN_OK && !tree_columns(b->t, b->n_nodes))
		st = WN_E_NOMEM;
	if (st != WN_OK)
		return st;
	if (b->n_threads > 1) {
		uint64_t cut_at = b->n_nodes / ((uint64_t)b->n_threads * PIECES);
		b->cut_at = cut_at < PIECE_MIN ? PIECE_MIN : (uint32_t)cut_at;
	}
	fill_top(b);
	if (b->is_out_of_memory)
		return WN_E_NOMEM;
	wn_parallel(b->n_threads, b->n_pieces, fill_piece, b);
	return WN_OK;
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
	wn_free(b.is_dropped);
	wn_free(b.counts);
	wn_free(b.children);
	wn_free(b.first_fj);
	wn_free(b.next_fj);
	wn_free(b.size);
	wn_free(b.pieces);
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
