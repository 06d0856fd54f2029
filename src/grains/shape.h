/* SPDX-License-Identifier: MIT */
/*
 * shape.h - the part of the tree that a chunk of run.grains holds, from the columns `node_kind` and
 * `closes`; and what other columns expect of it. The format: grains/format.h.
 */
#ifndef WN_GRAINS_SHAPE_H
#define WN_GRAINS_SHAPE_H

#include "grains/format.h"

#include <stdbool.h>
#include <stddef.h>

/* A parent that lies before the chunk: + k, the k-th of the groups that are open where the chunk
 * begins, from the innermost, 0. */
#define WN_SHAPE_BEFORE 0x80000000u

/* Nodes, groups and rows are those of the chunk, from 0. All arrays are the caller's. */
struct wn_grains_shape {
	uint32_t n_nodes, n_grains, n_groups;
	const uint8_t *kind; /* [n_nodes] */
	uint32_t *parent;    /* [n_nodes] a node; or WN_SHAPE_BEFORE + k */
	uint32_t *end; /* [n_nodes] one past the last node inside; n_nodes too of those that do
	                  not end in the chunk */
	uint32_t *row; /* [n_nodes] of a grain: its row; of a group: among rows GROUP */
	uint32_t *owner_row; /* [n_grains] of WN_CODE_OWNER: the first member of the linear group
	                        that the grain is in, at most one other group between; or, where it
	                        is that itself, of the one around that group, in the same way.
	                        WN_GRAINS_NONE if that is no grain, or not in the chunk */
	uint32_t n_closed_before; /* of the groups that were open, how many end here */
	uint32_t n_left_open;     /* of the chunk's own: rows SUMMARY */
};

/**
 * Finds a chunk's shape.
 *
 * @param s       n_nodes, n_grains, n_groups, kind and the arrays are given; the rest is found.
 * @param closes  [n_grains]
 * @param n_open  groups open where the chunk begins.
 * @return false: no tree is so. What has been written then says nothing.
 *
 * Cost     O(n_nodes); nothing is allocated, nothing recurses.
 * Threads  pure.
 * Oracle   tests/property/prop_column.c, on trees of tests/property/forest.h
 */
bool wn_grains_shape(struct wn_grains_shape *s, const uint64_t *closes, uint32_t n_open);

/* What the chunk alone says of its groups: what the columns of rows GROUP are differences to.
 * Each array [n_groups], or NULL: not wanted. */
struct wn_grains_expected {
	uint64_t *owner; /* linear: the id of its first member, if that is a grain. Others: what
	                    is expected of the group around them in the chunk. Else 0 */
	uint64_t *siblings_sum; /* fork-joins: of their members, the work of the grain, or of the
	                           linear group's first member ... */
	uint64_t *siblings_max; /* ... the greatest of these ... */
	uint64_t *siblings_n;   /* ... and how many they are; members in the chunk alone */
};

/**
 * @param id, work  [n_grains] columns of the chunk, as far as the arrays wanted need them.
 * Cost  O(n_nodes). Pure.
 */
void wn_grains_expect(const struct wn_grains_shape *s, const uint64_t *id, const uint64_t *work,
                      const struct wn_grains_expected *out);

#endif /* WN_GRAINS_SHAPE_H */
