/* SPDX-License-Identifier: MIT */
/*
 * build_private.h - what the steps of building a tree share. Each step is one or more passes over
 * ranges of ids or blocks of fork-joins, on several threads.
 */
#ifndef WN_AGGREGATE_BUILD_PRIVATE_H
#define WN_AGGREGATE_BUILD_PRIVATE_H

#include "aggregate/tree.h"

#include <stdatomic.h>

#define NONE       UINT32_MAX
#define NODES_MAX  0x7fffffffu /* so that theta, at most 1.5 per node, fits 32 bits */
#define RANGES_MAX 8u          /* of ids that are counted apart: 4 bytes per fork-join each */
#define BLOCKS_MAX 64u         /* of fork-joins */
#define APART      32u         /* numbers that keep what two threads count off one cache line */

/* What hangs off S among the ids of a range, in order: contexts with fork-joins, and grains whose
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
	uint8_t *is_dropped; /* [n], NULL = none is */

	/* lists.c: drawn children of each fork-join, by id; drawn fork-joins of each owner */
	uint32_t *counts;   /* [n_ranges][n_fjs + APART] */
	uint32_t *last;     /* [n_fjs] the last range's of them: where each list ends */
	wn_grain *children; /* the lists, one after the other */
	uint32_t *first_fj; /* [n] 1 + it, 0 = none: most have none, and touch no memory */
	uint32_t *next_fj;  /* [n_fjs] */
	struct tops tops[RANGES_MAX];
	uint32_t block_sum[BLOCKS_MAX];
	struct owners {
		wn_grain least, most;
	} block_owners[BLOCKS_MAX];
	size_t n_tops;
	atomic_ullong n_nodes; /* sums of what each job has found */

	/* sizes.c */
	uint32_t *size;  /* [n_fjs] nodes; before that, in lists.c, owners */
	uint32_t *outer; /* [n_fjs] what it is inside of, and OUTER_FIRST; from places.c on theta */
	atomic_bool is_mixed; /* some fork-join has a lower number than one that it is inside of */

	/* places.c */
	uint32_t *place; /* [n_fjs] its node, first as seen from the one that it is inside of */
	struct share *shares;
	size_t n_shares;

	/* build.c */
	atomic_size_t n_pieces; /* of the tree's columns: that have been asked of the kernel */

	atomic_bool is_out_of_memory;
};

/* Of an `outer`: it is its owner's first, and so brings the owner's linear group. */
#define OUTER_FIRST 0x80000000u
#define OUTER_NONE  0x7fffffffu

/* Some of `children` that one job works on. */
struct share {
	uint32_t from, to;
	uint32_t fj;     /* that `from` is in */
	uint32_t offset; /* nodes of the children in it before `from` */
	uint32_t tail;   /* nodes of the share's children in the fork-join that goes on after it */
};

/* A way through a share. */
struct walk {
	uint32_t i, to, fj, end;
	uint32_t offset; /* the caller adds each child's nodes */
};

static inline bool
is_drawn(const struct builder *b, wn_grain id)
{
	return wn_is_drawn(b->g, id) && !(b->is_dropped && b->is_dropped[id]);
}

/* An owner's first fork-join, or NONE. */
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

/* Part `k` of `n` parts of `all`. */
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
	while (w->i == w->end) { /* on to the next that is not empty */
		w->end = b->last[++w->fj];
		w->offset = 0;
	}
	*child = b->children[w->i++];
	return true;
}

/* Members of a grain's linear group, or of a context's. */
static inline uint32_t
n_members(const struct builder *b, wn_grain id)
{
	uint32_t n = is_drawn(b, id);
	for (uint32_t fj = first_fj(b, id); fj != NONE; fj = b->next_fj[fj])
		n++;
	return n;
}

/* A step that only one thread can do; the others see to the memory that the tree will need. */
void build_alone(struct builder *b, void (*step)(struct builder *b));
wn_status build_lists(struct builder *b);
wn_status build_sizes(struct builder *b, wn_err *err);
wn_status build_places(struct builder *b);
/* Nodes of a grain with all that is inside, or of a context. */
uint64_t build_size_of(const struct builder *b, wn_grain id);

#endif /* WN_AGGREGATE_BUILD_PRIVATE_H */
