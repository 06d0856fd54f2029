/* SPDX-License-Identifier: MIT */
/* build_private.h - declarations shared by the steps of building a tree. Each step is one or more
 * passes over ranges of ids or blocks of fork-joins, on several threads. */
#pragma once

#include "aggregate/tree.h"

#include <stdatomic.h>

#define NONE       UINT32_MAX
#define NODES_MAX  0x7fffffffu /* so that theta, at most 1.5 per node, fits 32 bits */
#define RANGES_MAX 8u          /* ranges of ids counted separately: 4 bytes per fork-join each */
#define BLOCKS_MAX 64u         /* of fork-joins */
#define APART      32u /* padding between the counters of two threads, to avoid false sharing */

/* Children of S among the ids of a range, in order: contexts with fork-joins, and grains whose
 * creation was lost. */
struct tops {
	wn_grain *ids;
	size_t n, capacity;
};

struct builder {
	const struct wn_graph *g;
	struct wn_tree *t;
	unsigned n_threads;
	size_t n_ranges, n_blocks;
	uint8_t *is_dropped; /* [n], NULL = none is dropped */

	/* lists.c: drawn children of each fork-join, by id; drawn fork-joins of each owner */
	uint32_t *counts;   /* [n_ranges][n_fjs + APART] */
	uint32_t *last;     /* [n_fjs] counts of the last range: the end of each list */
	wn_grain *children; /* the lists, concatenated */
	uint32_t *first_fj; /* [n] 1 + fork-join, 0 = none: most have none and touch no memory */
	uint32_t *next_fj;  /* [n_fjs] */
	struct tops tops[RANGES_MAX];
	uint32_t block_sum[BLOCKS_MAX];
	struct owners {
		wn_grain least, most;
	} block_owners[BLOCKS_MAX];
	size_t n_tops;
	atomic_ullong n_nodes; /* sums over all jobs */

	/* sizes.c */
	uint32_t *size; /* [n_fjs] number of nodes; owners in lists.c */
	uint32_t
	    *outer; /* [n_fjs] enclosing fork-join, and OUTER_FIRST; from group_places.c on theta */
	atomic_bool is_mixed; /* some fork-join has a lower number than the one that encloses it */

	/* group_places.c */
	uint32_t *place; /* [n_fjs] its node, first relative to the enclosing fork-join */
	struct share *shares;
	size_t n_shares;

	/* build_tree.c */
	atomic_size_t n_pieces; /* pieces of the tree's columns whose pages have been populated */

	atomic_bool is_out_of_memory;
};

/* Flag of `outer`: the owner's first fork-join, preceded by the nodes of its linear group. */
#define OUTER_FIRST 0x80000000u
#define OUTER_NONE  0x7fffffffu

/* A part of `children` that one job works on. */
struct share {
	uint32_t from, to;
	uint32_t fj;     /* fork-join that contains `from` */
	uint32_t offset; /* nodes of its children before `from` */
	uint32_t tail; /* nodes of the share's children in the fork-join that continues after it */
};

/* Iterates over the children of a share. */
struct walk {
	uint32_t i, to, fj, end;
	uint32_t offset; /* the caller adds each child's nodes */
};

static inline bool
is_drawn(const struct builder *b, wn_grain id)
{
	return wn_is_drawn(b->g, id) && !(b->is_dropped && b->is_dropped[id]);
}

/* Returns an owner's first fork-join, or NONE. */
static inline uint32_t
first_fj(const struct builder *b, wn_grain owner)
{
	return b->first_fj[owner] - 1;
}

static inline uint32_t *
counts_of(const struct builder *b, size_t range)
{
	return b->counts + range * (b->g->n_fjs + APART);
}

static inline uint32_t
list_begin(const struct builder *b, uint32_t fj)
{
	return fj ? b->last[fj - 1] : 0;
}

static inline bool
fj_has_members(const struct builder *b, uint32_t fj)
{
	return b->last[fj] > list_begin(b, fj);
}

/* Returns the begin of part `k` of `n` parts of `all`. */
static inline uint32_t
part_begin(size_t all, size_t k, size_t n)
{
	return (uint32_t)((uint64_t)all * k / n);
}

static inline struct walk
walk_begin(const struct builder *b, const struct share *share)
{
	return (struct walk){share->from, share->to, share->fj, b->last[share->fj], share->offset};
}

static inline bool
walk_next(const struct builder *b, struct walk *w, wn_grain *child)
{
	if (w->i == w->to)
		return false;
	while (w->i == w->end) { /* advance to the next nonempty one */
		w->end = b->last[++w->fj];
		w->offset = 0;
	}
	*child = b->children[w->i++];
	return true;
}

/* Number of members of a grain's or context's linear group. */
static inline uint32_t
n_members(const struct builder *b, wn_grain id)
{
	uint32_t n = is_drawn(b, id);
	for (uint32_t fj = first_fj(b, id); fj != NONE; fj = b->next_fj[fj])
		n++;
	return n;
}

/* Runs a step that cannot be divided; meanwhile the other threads touch the memory that the tree
 * will need. */
void build_alone(struct builder *b, void (*step)(struct builder *b));
wn_status build_lists(struct builder *b);
wn_status build_sizes(struct builder *b, wn_err *err);
wn_status build_places(struct builder *b);
/* Number of nodes of a grain with all its contents, or of a context. */
uint64_t build_size_of(const struct builder *b, wn_grain id);
