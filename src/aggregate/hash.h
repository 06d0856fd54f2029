/* SPDX-License-Identifier: MIT */
/*
 * hash.h - which groups are of one shape, and which are the same in another run: 64 bits for each
 * node, of its structure alone or of whom it holds.
 */
#ifndef WN_AGGREGATE_HASH_H
#define WN_AGGREGATE_HASH_H

#include "aggregate/tree.h"

/**
 * The shape of each node: equal for two nodes if and only if one can be made the other by putting
 * members of fork-joins (sibling and alike groups) in another order - but for collisions, which 64
 * bits make unlikely. A grain has one shape, whatever it is; a linear group is of its members'
 * shapes in order; the others of theirs, sorted.
 *
 * @param out  [t->n]
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(nodes); 16 bytes per member of the largest fork-join meanwhile.
 * Threads  uses the tree's.
 * Source   [P5] on similarity; doc/metrics.md, "Groups".
 * Oracle   tests/property/prop_tree.c
 */
WN_MUST_CHECK wn_status wn_tree_shapes(const struct wn_tree *t, uint64_t *out, wn_err *err);

/**
 * An id of each node that does not depend on the schedule: of its kind, its depth and its members'
 * ids (in order; of fork-joins, sibling and alike groups sorted, since the order of their members
 * is that of ids of grains); for a grain, of its lineage.
 *
 * @param out  [t->n]
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (a lean graph has no lineages)
 * Cost     O(nodes + ids); meanwhile 4 bytes per node and 9 per id.
 * Threads  uses the tree's.
 * Source   [P5] on identifiers; doc/metrics.md, "Groups".
 * Oracle   tests/property/prop_tree.c
 */
WN_MUST_CHECK wn_status wn_tree_gids(const struct wn_tree *t, uint64_t *out, wn_err *err);

#endif /* WN_AGGREGATE_HASH_H */
