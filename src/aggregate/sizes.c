/* SPDX-License-Identifier: MIT */
/*
 * sizes.c - counts the nodes of each fork-join, from the innermost outwards.
 *
 * A fork-join usually has a higher number than the one that encloses it, because it was opened
 * later; then a pass in descending order suffices. Grains that outlived their creator break this
 * order. Then the thread that sizes the last fork-join inside another one continues with that one.
 */
#include "aggregate/build_private.h"
#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

static uint32_t
outer_of(const struct builder *b, uint32_t fj)
{
	return b->outer[fj] & ~OUTER_FIRST;
}

static uint32_t
size_with_linear(const struct builder *b, uint32_t fj)
{
	return b->size[fj] + (b->outer[fj] & OUTER_FIRST ? 1 : 0);
}

static void
start_block(void *user, size_t k)
{
	struct builder *b = user;
	const struct wn_graph *g = b->g;
	uint32_t to = part_begin(g->n_fjs, k + 1, b->n_blocks);
	bool is_mixed = false;
	for (uint32_t fj = part_begin(g->n_fjs, k, b->n_blocks); fj < to; fj++) {
		wn_grain owner = b->size[fj];
		uint32_t outer = OUTER_NONE;
		if (fj_has_members(b, fj) && is_drawn(b, owner) && g->fj[owner] != WN_NO_FJ) {
			outer = g->fj[owner];
			is_mixed |= outer >= fj;
		}
		b->outer[fj] = outer | (fj == first_fj(b, owner) ? OUTER_FIRST : 0);
		b->size[fj] = 1 + b->last[fj] - list_begin(b, fj);
	}
	if (is_mixed) /* relaxed: read when all threads have been joined */
		atomic_store_explicit(&b->is_mixed, true, memory_order_relaxed);
}

static void
add_sizes_in_descending_order(struct builder *b)
{
	for (uint32_t fj = (uint32_t)b->g->n_fjs; fj-- > 0;)
		if (outer_of(b, fj) != OUTER_NONE)
			b->size[outer_of(b, fj)] += size_with_linear(b, fj);
}

static wn_status
add_sizes_inside_out(struct builder *b)
{
	uint32_t n_fjs = (uint32_t)b->g->n_fjs;
	uint32_t *n_inside = wn_calloc(n_fjs, sizeof *n_inside);
	if (!n_inside)
		return WN_E_NOMEM;
	for (uint32_t fj = 0; fj < n_fjs; fj++)
		if (outer_of(b, fj) != OUTER_NONE)
			n_inside[outer_of(b, fj)]++;
	for (uint32_t start = 0; start < n_fjs; start++)
		for (uint32_t fj = start; fj != OUTER_NONE && n_inside[fj] == 0;) {
			uint32_t outer = outer_of(b, fj);
			n_inside[fj] = NONE; /* done */
			if (outer != OUTER_NONE) {
				b->size[outer] += size_with_linear(b, fj);
				n_inside[outer]--;
			}
			fj = outer;
		}
	wn_free(n_inside);
	return WN_OK;
}

uint64_t
build_size_of(const struct builder *b, wn_grain id)
{
	uint64_t size = is_drawn(b, id), n_members = size;
	for (uint32_t fj = first_fj(b, id); fj != NONE; fj = b->next_fj[fj], n_members++)
		size += b->size[fj];
	return size + (n_members > 1);
}

/* Detects cycles of fork-joins, each inside the next: they hang below nothing, so their nodes are
 * missing from the total. */
static wn_status
check_no_cycle(const struct builder *b, uint64_t n_nodes, wn_err *err)
{
	for (size_t r = 0; r < b->n_ranges; r++)
		for (size_t i = 0; i < b->tops[r].n; i++)
			n_nodes -= build_size_of(b, b->tops[r].ids[i]);
	return n_nodes == (b->n_tops > 1) ? WN_OK
	                                  : wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
	                                            "a grain is inside its own fork-join");
}

wn_status
build_sizes(struct builder *b, wn_err *err)
{
	size_t n_fjs = b->g->n_fjs;
	wn_status st = WN_OK;
	if (b->n_tops > 1)
		atomic_fetch_add_explicit(&b->n_nodes, 1, memory_order_relaxed);
	uint64_t n_nodes = atomic_load_explicit(&b->n_nodes, memory_order_relaxed);
	if (n_nodes >= NODES_MAX || n_fjs >= OUTER_NONE)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
		               "the graph folds to more than %u nodes", NODES_MAX - 1);
	b->outer = wn_calloc(n_fjs, sizeof *b->outer);
	if (!b->outer || !tree_columns(b->t, n_nodes))
		return WN_E_NOMEM;
	wn_parallel(b->n_threads, b->n_blocks, start_block, b);
	if (atomic_load_explicit(&b->is_mixed, memory_order_relaxed))
		st = add_sizes_inside_out(b);
	else
		build_alone(b, add_sizes_in_descending_order);
	return st == WN_OK ? check_no_cycle(b, n_nodes, err) : st;
}
