/* SPDX-License-Identifier: MIT */
/* lists.c - lists the children of each fork-join and the fork-joins of each owner: a counting sort
 * of the children, with separate counts for each range of ids, and linked lists for the owners'
 * fork-joins. */
#include "aggregate/build_private.h"
#include "base/mem.h"
#include "base/parallel.h"

static void
count_children(void *user, size_t r)
{
	struct builder *b = user;
	uint32_t *count = counts_of(b, r);
	wn_grain to = part_begin(b->g->n, r + 1, b->n_ranges);
	for (wn_grain id = part_begin(b->g->n, r, b->n_ranges); id < to; id++)
		if (b->g->fj[id] != WN_NO_FJ && is_drawn(b, id))
			count[b->g->fj[id]]++;
}

/* Also copies owners out of the wide records: two steps need nothing else of these. */
static void
sum_block(void *user, size_t k)
{
	struct builder *b = user;
	struct owners owners = {UINT32_MAX, 0};
	uint32_t to = part_begin(b->g->n_fjs, k + 1, b->n_blocks), sum = 0;
	for (uint32_t fj = part_begin(b->g->n_fjs, k, b->n_blocks); fj < to; fj++) {
		wn_grain owner = b->g->fjs[fj].owner;
		b->size[fj] = owner;
		owners.least = owner < owners.least ? owner : owners.least;
		owners.most = owner > owners.most ? owner : owners.most;
	}
	b->block_owners[k] = owners;
	for (size_t r = 0; r < b->n_ranges; r++)
		for (uint32_t fj = part_begin(b->g->n_fjs, k, b->n_blocks); fj < to; fj++)
			sum += counts_of(b, r)[fj];
	b->block_sum[k] = sum;
}

/* Turns counts into positions: by fork-join, within each by range. */
static void
place_block(void *user, size_t k)
{
	struct builder *b = user;
	uint32_t to = part_begin(b->g->n_fjs, k + 1, b->n_blocks), sum = b->block_sum[k];
	for (uint32_t fj = part_begin(b->g->n_fjs, k, b->n_blocks); fj < to; fj++)
		for (size_t r = 0; r < b->n_ranges; r++) {
			uint32_t *count = &counts_of(b, r)[fj], n = *count;
			*count = sum;
			sum += n;
		}
}

static void
list_children(void *user, size_t r)
{
	struct builder *b = user;
	uint32_t *place = counts_of(b, r);
	wn_grain to = part_begin(b->g->n, r + 1, b->n_ranges);
	for (wn_grain id = part_begin(b->g->n, r, b->n_ranges); id < to; id++)
		if (b->g->fj[id] != WN_NO_FJ && is_drawn(b, id))
			b->children[place[b->g->fj[id]]++] = id;
}

static void
add_top(struct builder *b, struct tops *tops, wn_grain id)
{
	if (wn_grow(&tops->ids, &tops->capacity, tops->n + 1, sizeof *tops->ids) != 0)
		/* relaxed: read when all threads have been joined */
		atomic_store_explicit(&b->is_out_of_memory, true, memory_order_relaxed);
	else
		tops->ids[tops->n++] = id;
}

/* Links the fork-joins of a block whose owner is in the range, last first; returns how many. */
static uint32_t
link_block(struct builder *b, size_t k, wn_grain from, wn_grain to)
{
	uint32_t begin = part_begin(b->g->n_fjs, k, b->n_blocks), n = 0;
	for (uint32_t fj = part_begin(b->g->n_fjs, k + 1, b->n_blocks); fj-- > begin;) {
		wn_grain owner = b->size[fj];
		if (owner < from || owner >= to || !fj_has_members(b, fj))
			continue;
		b->next_fj[fj] = first_fj(b, owner);
		b->first_fj[owner] = fj + 1;
		n++;
	}
	return n;
}

/* Lists the fork-joins whose owner is in the range, and counts the nodes of these owners. */
static void
list_fork_joins(void *user, size_t r)
{
	struct builder *b = user;
	const struct wn_graph *g = b->g;
	wn_grain from = part_begin(g->n, r, b->n_ranges);
	wn_grain to = part_begin(g->n, r + 1, b->n_ranges);
	uint64_t n_nodes = 0;
	for (size_t k = b->n_blocks; k-- > 0;)
		if (b->block_owners[k].most >= from && b->block_owners[k].least < to)
			n_nodes += link_block(b, k, from, to);
	for (wn_grain id = from; id < to; id++) {
		uint32_t fj = first_fj(b, id);
		bool is_grain = is_drawn(b, id);
		n_nodes += is_grain;
		if (fj != NONE)
			n_nodes += is_grain || b->next_fj[fj] != NONE; /* a linear group */
		if (is_grain ? g->fj[id] == WN_NO_FJ : fj != NONE)
			add_top(b, &b->tops[r], id);
	}
	atomic_fetch_add_explicit(&b->n_nodes, n_nodes, memory_order_relaxed);
}

wn_status
build_lists(struct builder *b)
{
	size_t n_fjs = b->g->n_fjs;
	uint32_t sum = 0;
	b->counts = wn_calloc((n_fjs + APART) * b->n_ranges, sizeof *b->counts);
	b->first_fj = wn_calloc(b->g->n, sizeof *b->first_fj);
	b->next_fj = wn_calloc(n_fjs, sizeof *b->next_fj);
	b->size = wn_calloc(n_fjs, sizeof *b->size);
	if (!b->counts || !b->first_fj || !b->next_fj || !b->size)
		return WN_E_NOMEM;
	wn_parallel(b->n_threads, b->n_ranges, count_children, b);
	wn_parallel(b->n_threads, b->n_blocks, sum_block, b);
	for (size_t k = 0; k < b->n_blocks; k++) {
		uint32_t n = b->block_sum[k];
		b->block_sum[k] = sum;
		sum += n;
	}
	wn_parallel(b->n_threads, b->n_blocks, place_block, b);
	b->last = counts_of(b, b->n_ranges - 1);
	b->children = wn_calloc(sum, sizeof *b->children);
	if (!b->children)
		return WN_E_NOMEM;
	wn_parallel(b->n_threads, b->n_ranges, list_children, b);
	wn_parallel(b->n_threads, b->n_ranges, list_fork_joins, b);
	for (size_t r = 0; r < b->n_ranges; r++)
		b->n_tops += b->tops[r].n;
	return atomic_load_explicit(&b->is_out_of_memory, memory_order_relaxed) ? WN_E_NOMEM
	                                                                        : WN_OK;
}
