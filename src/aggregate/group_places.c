/* SPDX-License-Identifier: MIT */
/* group_places.c - computes the node of each fork-join, and its theta. Its offset from the
 * enclosing fork-join follows from the sizes of the nodes before it there, and is computed in
 * parallel for shares of the children; absolute positions are then computed from the outside
 * inwards, one addition each. */
#include "aggregate/build_private.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/parallel.h"

#define SHARES 32u /* per thread */

/* Flag of a relative place: the owner has no other fork-join. */
#define PLACE_SINGLE 0x80000000u

/* Returns the fork-join that lists a child. */
static uint32_t
fj_of_child(const struct builder *b, uint32_t i)
{
	WN_FIRST_NOT(fj, b->g->n_fjs - 1, k, b->last[k] <= i);
	return (uint32_t)fj;
}

/* Cuts shares at ends of fork-joins, except inside those with many children. */
static void
cut(struct builder *b, uint32_t n_children)
{
	uint32_t from = 0;
	for (size_t k = 0; k < b->n_shares; k++) {
		uint32_t to = part_begin(n_children, k + 1, b->n_shares);
		struct share *share = &b->shares[k];
		if (to < n_children && to > 0) {
			uint32_t fj = fj_of_child(b, to), begin = list_begin(b, fj);
			if (b->last[fj] - begin <= n_children / b->n_shares && begin < to)
				to = b->last[fj];
		}
		if (to < from)
			to = from;
		*share = (struct share){.from = from, .to = to};
		if (from < n_children)
			share->fj = fj_of_child(b, from);
		from = to;
	}
}

static bool
is_flat(const struct builder *b, uint32_t fj)
{
	return b->size[fj] == 1 + b->last[fj] - list_begin(b, fj);
}

/* Sums the nodes of the fork-join that continues in the next share. */
static void
sum_tail(void *user, size_t k)
{
	struct builder *b = user;
	struct share *share = &b->shares[k];
	if (k + 1 == b->n_shares || share->from == share->to)
		return;
	uint32_t fj = b->shares[k + 1].fj, begin = list_begin(b, fj);
	uint32_t from = share->from > begin ? share->from : begin;
	if (begin >= share->to)
		return;
	if (is_flat(b, fj)) {
		share->tail = share->to - from;
		return;
	}
	for (uint32_t i = from; i < share->to; i++)
		share->tail += (uint32_t)build_size_of(b, b->children[i]);
}

static void
sum_offsets(struct builder *b)
{
	for (size_t k = 0; k + 1 < b->n_shares; k++) {
		struct share *share = &b->shares[k], *next = share + 1;
		if (next->from == list_begin(b, next->fj))
			continue;
		next->offset = share->tail + (share->fj == next->fj ? share->offset : 0);
	}
}

/* Computes the offsets of fork-joins inside the share's children from the enclosing one. */
static void
find_distances(void *user, size_t k)
{
	struct builder *b = user;
	struct walk w = walk_begin(b, &b->shares[k]);
	for (wn_grain id; walk_next(b, &w, &id);) {
		uint32_t fj = first_fj(b, id), at = 1 + w.offset;
		if (fj == NONE) {
			w.offset++;
			continue;
		}
		uint32_t single = b->next_fj[fj] == NONE ? PLACE_SINGLE : 0;
		at += 2; /* the linear group, the grain */
		for (; fj != NONE; fj = b->next_fj[fj]) {
			b->place[fj] = at | single;
			at += b->size[fj];
		}
		w.offset = at - 1;
	}
}

/* Places the fork-joins below S, which are known directly. */
static void
find_top(struct builder *b)
{
	uint32_t at = b->n_tops > 1;
	for (size_t r = 0; r < b->n_ranges; r++)
		for (size_t i = 0; i < b->tops[r].n; i++) {
			wn_grain id = b->tops[r].ids[i];
			at += (uint32_t)is_drawn(b, id) + (n_members(b, id) > 1);
			for (uint32_t fj = first_fj(b, id); fj != NONE; fj = b->next_fj[fj]) {
				b->place[fj] = at;
				at += b->size[fj];
			}
		}
}

/* Requires that the enclosing fork-join, and the owner's first one, have their places. */
static void
place_fork_join(struct builder *b, uint32_t fj)
{
	uint32_t outer = b->outer[fj] & ~OUTER_FIRST, place = b->place[fj];
	uint32_t theta = b->n_tops > 1 ? (uint32_t)b->n_tops - 1 : 0, first = fj;
	if (!(place & PLACE_SINGLE))
		first = first_fj(b, b->g->fjs[fj].owner);
	if (outer != OUTER_NONE) {
		b->place[fj] = b->place[outer] + (place & ~PLACE_SINGLE);
		theta = b->outer[outer];
	}
	uint32_t adds = wn_tree_adds(WN_TREE_FORK_JOIN, b->last[fj] - list_begin(b, fj));
	if (first != fj) /* count members once for each owner */
		theta = b->outer[first] -
		        wn_tree_adds(WN_TREE_FORK_JOIN, b->last[first] - list_begin(b, first));
	else
		theta += place & PLACE_SINGLE ? 1 : n_members(b, b->g->fjs[fj].owner) - 1;
	b->outer[fj] = theta + adds;
}

static void
place_in_ascending_order(struct builder *b)
{
	for (uint32_t fj = 0; fj < b->g->n_fjs; fj++)
		if (fj_has_members(b, fj))
			place_fork_join(b, fj);
}

/* For each fork-join, climbs to the outermost without a place, and resolves places on the way
 * back. */
static wn_status
settle_inwards(struct builder *b)
{
	uint8_t *has_place = wn_calloc(b->g->n_fjs, 1);
	uint32_t *path = NULL;
	size_t capacity = 0;
	bool has_memory = has_place != NULL;
	for (uint32_t start = 0; has_memory && start < b->g->n_fjs; start++) {
		size_t n = 0;
		uint32_t fj = start;
		while (has_memory && fj != OUTER_NONE && !has_place[fj] && fj_has_members(b, fj)) {
			has_memory = wn_grow(&path, &capacity, n + 1, sizeof *path) == 0;
			if (has_memory)
				path[n++] = fj;
			fj = b->outer[fj] & ~OUTER_FIRST;
		}
		while (has_memory && n-- > 0) {
			uint32_t first = first_fj(b, b->g->fjs[path[n]].owner);
			if (!has_place[first])
				place_fork_join(b, first);
			has_place[first] = 1;
			if (!has_place[path[n]])
				place_fork_join(b, path[n]);
			has_place[path[n]] = 1;
		}
	}
	wn_free(has_place);
	wn_free(path);
	return has_memory ? WN_OK : WN_E_NOMEM;
}

wn_status
build_places(struct builder *b)
{
	uint32_t n_fjs = (uint32_t)b->g->n_fjs, n_children = n_fjs ? b->last[n_fjs - 1] : 0;
	b->n_shares = b->n_threads > 1 ? (size_t)b->n_threads * SHARES : 1;
	if (n_children == 0)
		b->n_shares = 0;
	b->place = wn_calloc(n_fjs, sizeof *b->place);
	b->shares = wn_calloc(b->n_shares, sizeof *b->shares);
	if (!b->place || !b->shares)
		return WN_E_NOMEM;
	cut(b, n_children);
	wn_parallel(b->n_threads, b->n_shares, sum_tail, b);
	sum_offsets(b);
	wn_parallel(b->n_threads, b->n_shares, find_distances, b);
	find_top(b);
	if (atomic_load_explicit(&b->is_mixed, memory_order_relaxed))
		return settle_inwards(b);
	build_alone(b, place_in_ascending_order);
	return WN_OK;
}
