/* SPDX-License-Identifier: MIT */
/* shape.h - computes the part of the tree in a chunk of run.grains, from the columns `node_kind`
 * and `closes`; and reference values of other columns. The format: grains/format.h. */
#pragma once

#include "grains/format.h"

#include <stdbool.h>

/* Flag of a parent that is before the chunk: + k, the k-th of the groups open at the chunk's
 * begin, from the innermost, 0. */
#define WN_SHAPE_BEFORE 0x80000000u

/* Nodes, groups and rows are those of the chunk, from 0. The caller provides all arrays. */
struct wn_grains_shape {
	uint32_t n_nodes, n_grains, n_groups;
	const uint8_t *kind; /* [n_nodes] */
	uint32_t *parent;    /* [n_nodes] a node; or WN_SHAPE_BEFORE + k */
	uint32_t *end; /* [n_nodes] one past the last node inside; n_nodes also for those that do
	                  not end in the chunk */
	uint32_t *row; /* [n_nodes] of a grain: its row; of a group: among rows GROUP */
	uint32_t *owner_row; /* [n_grains] of WN_CODE_OWNER: the first member of the linear group
	                        that the grain is in, at most one other group between; or, where it
	                        is that itself, of the one around that group, in the same way.
	                        WN_GRAINS_NONE if that is no grain, or not in the chunk */
	uint32_t n_closed_before; /* number of groups open at the begin that end here */
	uint32_t n_left_open;     /* of the chunk's own groups: rows SUMMARY */
};

/**
 * Computes a chunk's shape.
 *
 * @param s       the caller sets n_nodes, n_grains, n_groups, kind and the arrays; the rest is
 *                computed.
 * @param closes  [n_grains]
 * @param n_open  groups open at the chunk's begin.
 * @return false if the columns are not those of a tree; then the output is undefined.
 *
 * Cost     O(n_nodes); nothing is allocated, nothing recurses.
 * Threads  pure.
 * Oracle   tests/property/prop_column.c, on trees of tests/property/forest.h
 */
bool wn_grains_shape(struct wn_grains_shape *s, const uint64_t *closes, uint32_t n_open);

/* Reference values for the columns of rows GROUP, computed from the chunk alone. Each array
 * [n_groups], or NULL: not needed. */
struct wn_grains_expected {
	uint64_t *owner; /* linear: the id of its first member, if that is a grain. Others: the
	                    value of the enclosing group in the chunk. Else 0 */
	uint64_t *siblings_sum; /* fork-joins: sum over their members of the work of the grain, or
	                           of the linear group's first member ... */
	uint64_t *siblings_max; /* ... the largest of these ... */
	uint64_t *siblings_n;   /* ... and their number; members in the chunk alone */
};

/**
 * @param id, work  [n_grains] columns of the chunk, as far as the requested arrays need them.
 * Cost  O(n_nodes). Pure.
 */
void wn_grains_expect(const struct wn_grains_shape *s, const uint64_t *id, const uint64_t *work,
                      const struct wn_grains_expected *out);
